// Events as other runtimes describe them. Descriptions repeat themselves from run to run: each different one is kept
// once and has a number, the same for all processes of the runtime.
#pragma once
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/types.h"

namespace plait::exogenous {

/// A text or another value of JSON, by number.
using Symbol = u32;
inline constexpr Symbol kNoSymbol = ~u32{0};

/// Cut if nobody would read it to its end.
std::string for_people(std::string text);

/// Numbers for texts. May be used by several threads.
class Symbols {
 public:
  Symbol of(const std::string& text);
  const std::string& text(Symbol symbol) const;
  size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Symbol> numbers_;
  std::deque<std::string> texts_;
};

struct Description {
  Symbol id = kNoSymbol;
  u32 actor = 0;  // its number: order of appearance
  std::string name, kind, label, file;
  u32 line = 0;
  /// By name, sorted; also "actor", "kind" and "id". Values are symbols of their JSON texts.
  std::vector<std::pair<Symbol, Symbol>> attributes;
  Symbol attribute(Symbol name) const;
};

/// All descriptions so far. May be used by several threads; what it hands out stays where it is.
class Catalogue {
 public:
  mutable Symbols symbols;  // grows by asking

  Symbol symbol_of(const nlohmann::json& value);
  /// The number of this description. `id` may be left out of the JSON: then it is the given one. The JSON has been
  /// checked (messages.h).
  u32 add(const nlohmann::json& event, const std::string& default_id);
  const Description& operator[](u32 number) const;
  u32 size() const;
  u32 actor(const std::string& name);
  std::string actor_name(u32 actor) const;
  u32 actors() const;
  std::string id(u32 number) const { return symbols.text((*this)[number].id); }
  /// "t1: x = 1"
  std::string text(u32 number) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, u32> numbers_;  // by their JSON
  std::deque<Description> descriptions_;
  std::unordered_map<std::string, u32> actors_;
  std::deque<std::string> actor_names_;
};

}  // namespace plait::exogenous
