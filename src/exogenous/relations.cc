#include "exogenous/relations.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace plait::exogenous {

using nlohmann::json;

/// A building block, or a combination of some.
struct Relation::Node {
  enum Kind : u8 { Never, Always, Same, Differ, Link, First, Second, Both, Either, Given, And, Or, Not } kind = Never;
  Symbol a = kNoSymbol, b = kNoSymbol;                            // Same, Differ, Link: names of attributes
  std::vector<std::pair<Symbol, std::vector<Symbol>>> test = {};  // First ...: attribute, values
  std::vector<Node> parts = {};

  bool passes(const Description& event) const {
    return std::all_of(test.begin(), test.end(), [&](const auto& one) {
      const Symbol value = event.attribute(one.first);
      return value != kNoSymbol && std::find(one.second.begin(), one.second.end(), value) != one.second.end();
    });
  }

  bool holds(const Description& x, const Description& y, bool given) const {
    const auto part_holds = [&](const Node& part) { return part.holds(x, y, given); };
    switch (kind) {
      case Never: return false;
      case Always: return true;
      case Same: return x.attribute(a) != kNoSymbol && x.attribute(a) == y.attribute(a);
      case Differ:
        return x.attribute(a) != kNoSymbol && y.attribute(a) != kNoSymbol && x.attribute(a) != y.attribute(a);
      case Link: return x.attribute(a) != kNoSymbol && x.attribute(a) == y.attribute(b);
      case First: return passes(x);
      case Second: return passes(y);
      case Both: return passes(x) && passes(y);
      case Either: return passes(x) || passes(y);
      case Given: return given;
      case And: return std::all_of(parts.begin(), parts.end(), part_holds);
      case Or: return std::any_of(parts.begin(), parts.end(), part_holds);
      case Not: return !part_holds(parts[0]);
    }
    return false;
  }

  bool asks_given() const {
    return kind == Given || std::any_of(parts.begin(), parts.end(), [](const Node& part) { return part.asks_given(); });
  }
};

namespace {

using Node = Relation::Node;

constexpr size_t kDeepest = 32;

class Parser {
 public:
  explicit Parser(Catalogue& catalogue) : catalogue_(catalogue) {}

  Node relation(const json& text, size_t depth = 0) {
    if (depth > kDeepest) throw std::invalid_argument("it is nested too deep");
    if (text.is_string()) return block(text.get<std::string>());
    if (!text.is_object() || text.empty())
      throw std::invalid_argument(fmt::format("{} is no relation: a name or an object is needed", text.dump()));
    std::vector<Node> all;
    for (const auto& [word, value] : text.items()) all.push_back(combination(word, value, depth));
    return all.size() == 1 ? all[0] : Node{.kind = Node::And, .parts = std::move(all)};
  }

 private:
  Symbol name(const std::string& text) { return catalogue_.symbols.of(text); }
  Symbol value(const json& text) { return catalogue_.symbol_of(text); }
  Node same(const std::string& attribute) { return {.kind = Node::Same, .a = name(attribute)}; }
  Node is(Node::Kind whose, const std::string& attribute, const std::string& wanted) {
    return {.kind = whose, .test = {{name(attribute), {value(wanted)}}}};
  }

  Node block(const std::string& word) {
    if (word == "never") return {};
    if (word == "always") return {.kind = Node::Always};
    if (word == "given") return {.kind = Node::Given};
    if (word == "same-actor") return same("actor");
    if (word == "same-object") return same("object");
    if (word == "same-mailbox") return same("mailbox");
    if (word == "same-object-write")
      return {.kind = Node::And,
              .parts = {same("object"), {.kind = Node::Not, .parts = {is(Node::Both, "kind", "read")}}}};
    if (word == "spawn-first") return {.kind = Node::Link, .a = name("child"), .b = name("actor")};
    if (word == "send-receive")
      return {.kind = Node::And,
              .parts = {same("message"), is(Node::First, "kind", "send"), is(Node::Second, "kind", "receive")}};
    throw std::invalid_argument(
        fmt::format("there is no building block '{}' (never, always, given, same-actor, same-object, "
                    "same-object-write, same-mailbox, spawn-first, send-receive)",
                    word));
  }

  std::string attribute(const std::string& word, const json& text) {
    if (!text.is_string()) throw std::invalid_argument(fmt::format("'{}' needs the name of an attribute", word));
    return text;
  }

  Node test(Node::Kind kind, const std::string& word, const json& text) {
    if (!text.is_object() || text.empty())
      throw std::invalid_argument(fmt::format("'{}' needs a test such as {{\"kind\": \"read\"}}", word));
    Node node{.kind = kind};
    for (const auto& [attribute, wanted] : text.items()) {
      std::vector<Symbol> values;
      for (const json& one : wanted.is_array() ? wanted : json::array({wanted})) {
        if (one.is_structured()) throw std::invalid_argument(fmt::format("a value of the test '{}' is none", word));
        values.push_back(value(one));
      }
      node.test.emplace_back(name(attribute), std::move(values));
    }
    return node;
  }

  Node combination(const std::string& word, const json& text, size_t depth) {
    if (word == "same") return same(attribute(word, text));
    if (word == "differ") return {.kind = Node::Differ, .a = name(attribute(word, text))};
    if (word == "first") return test(Node::First, word, text);
    if (word == "second") return test(Node::Second, word, text);
    if (word == "both") return test(Node::Both, word, text);
    if (word == "either") return test(Node::Either, word, text);
    if (word == "not") return {.kind = Node::Not, .parts = {relation(text, depth + 1)}};
    if (word == "link") {
      if (!text.is_array() || text.size() != 2) throw std::invalid_argument("'link' needs two names of attributes");
      return {.kind = Node::Link, .a = name(attribute(word, text[0])), .b = name(attribute(word, text[1]))};
    }
    if (word != "and" && word != "or")
      throw std::invalid_argument(
          fmt::format("there is no '{}' (same, differ, link, first, second, both, either, and, or, not)", word));
    if (!text.is_array()) throw std::invalid_argument(fmt::format("'{}' needs a list of relations", word));
    Node node{.kind = word == "and" ? Node::And : Node::Or};
    for (const json& part : text) node.parts.push_back(relation(part, depth + 1));
    return node;
  }

  Catalogue& catalogue_;
};

/// Pairs of indices as one number.
u64 pair_key(u32 i, u32 j) { return u64{i} << 32 | j; }

}  // namespace

Relation::Relation() : root_(std::make_shared<Node>()) {}

Relation::Relation(const json& text, Catalogue& catalogue)
    : root_(std::make_shared<Node>(Parser(catalogue).relation(text))) {}

bool Relation::holds(const Description& a, const Description& b, bool given) const { return root_->holds(a, b, given); }

bool Relation::asks_given() const { return root_->asks_given(); }

Relations::Relations(Catalogue& catalogue)
    : catalogue_(catalogue), must_("same-actor", catalogue), interferes_("always", catalogue) {}

void Relations::take(const json& relations) {
  if (!relations.is_object()) throw std::invalid_argument("relations are an object");
  for (const auto& [name, text] : relations.items()) {
    Relation* relation = name == "must"         ? &must_
                         : name == "interferes" ? &interferes_
                         : name == "enables"    ? &enables_
                                                : nullptr;
    if (!relation)
      throw std::invalid_argument(fmt::format("there is no relation '{}' (must, interferes, enables)", name));
    try {
      *relation = Relation(text, catalogue_);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("relation '{}': {}", name, error.what()));
    }
  }
  asks_given_ = must_.asks_given() || interferes_.asks_given() || enables_.asks_given();
  cache_.clear();
}

u8 Relations::compute(u32 a, u32 b, u8 given) const {
  const Description &x = catalogue_[a], &y = catalogue_[b];
  if (must_.holds(x, y, given & kGivenMust)) return static_cast<u8>(Tie::Must);
  const u8 wrong = must_.holds(y, x, false) ? kContradiction : 0;
  if (enables_.holds(x, y, given & kGivenEnables)) return static_cast<u8>(Tie::Enables) | wrong;
  const bool interfere =
      interferes_.holds(x, y, given & kGivenInterferes) || interferes_.holds(y, x, given & kGivenInterferes);
  return static_cast<u8>(interfere ? Tie::Interferes : Tie::None) | wrong;
}

u8 Relations::cached(u32 a, u32 b) const {
  constexpr u32 kMost = 20000;  // descriptions; for more the table would be too large
  if (a >= kMost || b >= kMost) return compute(a, b, 0);
  if (a >= cache_.size()) cache_.resize(a + 1);
  std::vector<u8>& row = cache_[a];
  if (b >= row.size()) row.resize(std::max<size_t>(b + 1, std::min<size_t>(kMost, row.size() * 2)), kUnknown);
  if (row[b] == kUnknown) row[b] = compute(a, b, 0);
  return row[b];
}

Tie Relations::tie(u32 a, u32 b) const { return static_cast<Tie>(cached(a, b) & 7); }

Tie Relations::tie(u32 a, u32 b, u8 given) const {
  return given ? static_cast<Tie>(compute(a, b, given) & 7) : tie(a, b);
}

bool Relations::contradicts(u32 a, u32 b) const { return cached(a, b) & kContradiction; }

RunTies::RunTies(const Relations& relations, std::span<const u32> events, const GivenPairs& given)
    : relations_(relations), events_(events) {
  if (!relations.asks_given()) return;
  for (const auto& [i, j] : given.must) given_[pair_key(i, j)] |= Relations::kGivenMust;
  for (const auto& [i, j] : given.enables) given_[pair_key(i, j)] |= Relations::kGivenEnables;
  for (const auto& [i, j] : given.interferes)
    given_[pair_key(std::min(i, j), std::max(i, j))] |= Relations::kGivenInterferes;
}

Tie RunTies::operator()(u32 i, u32 j) const {
  if (given_.empty()) return relations_.tie(events_[i], events_[j]);
  const auto found = given_.find(pair_key(i, j));
  return relations_.tie(events_[i], events_[j], found == given_.end() ? u8{0} : found->second);
}

std::string relations_beside(const std::vector<std::string>& command) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (const std::string& word : command) {
    if (!fs::is_regular_file(word, error)) continue;
    const fs::path beside = fs::path(word).parent_path() / "relations.toml";
    return fs::is_regular_file(beside, error) ? beside.string() : "";
  }
  return "";
}

}  // namespace plait::exogenous
