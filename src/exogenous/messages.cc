#include "exogenous/messages.h"

#include <fmt/core.h>

#include <algorithm>

namespace plait::exogenous {
namespace {

using nlohmann::json;

[[noreturn]] void wrong(const std::string& place, const std::string& needed) {
  throw std::invalid_argument(fmt::format("{}: {}", place, needed));
}

std::string text_field(const json& object, const char* name, const std::string& place, const char* fallback = nullptr) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) {
    if (!fallback) wrong(place, fmt::format("'{}' is missing", name));
    return fallback;
  }
  if (!found->is_string()) wrong(fmt::format("{}.{}", place, name), "a string is needed, not " + found->dump());
  return *found;
}

u32 number_field(const json& object, const char* name, const std::string& place, u32 fallback) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return fallback;
  if (!found->is_number_integer() || *found < 0 || *found > 0xffffffff)
    wrong(fmt::format("{}.{}", place, name), "a whole number from 0 on is needed, not " + found->dump());
  return *found;
}

const json& list_field(const json& object, const char* name, const std::string& place) {
  static const json kNone = json::array();
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return kNone;
  if (!found->is_array()) wrong(fmt::format("{}.{}", place, name), "a list is needed");
  return *found;
}

json object_field(const json& object, const char* name, const std::string& place) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return json::object();
  if (!found->is_object()) wrong(fmt::format("{}.{}", place, name), "an object is needed");
  return *found;
}

void check_event(const json& event, const std::string& place) {
  if (!event.is_object()) wrong(place, "an event is needed: an object, or the number of one that was described before");
  text_field(event, "actor", place);
  text_field(event, "kind", place);
  for (const char* name : {"id", "label", "file"}) text_field(event, name, place, "");
  number_field(event, "line", place, 0);
  for (const auto& [name, value] : event.items())
    if (value.is_structured())
      wrong(fmt::format("{}.{}", place, name), "an attribute is a string, a number, true, false or null");
}

EndStatus status_of(const std::string& name) {
  if (name == "complete") return EndStatus::Complete;
  if (name == "blocked") return EndStatus::Blocked;
  if (name == "failed") return EndStatus::Failed;
  if (name == "diverged") return EndStatus::Diverged;
  if (name == "limit") return EndStatus::Limit;
  wrong("status", fmt::format("there is no '{}' (complete, blocked, failed, diverged, limit)", name));
}

void take_pairs(const json& message, const char* name, size_t events, std::vector<std::pair<u32, u32>>& pairs) {
  size_t index = 0;
  for (const json& pair : list_field(message, name, "end")) {
    const std::string place = fmt::format("{}[{}]", name, index++);
    const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                         pair[1].is_number_unsigned() && pair[0] < events && pair[1] < events && pair[0] != pair[1];
    if (!is_pair) wrong(place, fmt::format("two indices of events are needed (there are {})", events));
    if (pair[0] > pair[1] && std::string_view(name) != "interferes")
      wrong(place, fmt::format("the relation contradicts the run: {} comes after {}", pair[0].dump(), pair[1].dump()));
    pairs.emplace_back(pair[0], pair[1]);
  }
}

}  // namespace

Hello parse_hello(const json& message) {
  Hello hello;
  if (const std::string type = text_field(message, "type", "hello"); type != "hello")
    throw std::invalid_argument(fmt::format("a hello is needed first, not '{}'", type));
  const json version = message.value("protocol", json());
  if (version != kProtocol)
    throw std::invalid_argument(
        fmt::format("it speaks version {} of the protocol, this Plait version {}", version.dump(), kProtocol));
  hello.name = text_field(message, "name", "hello");
  hello.version = text_field(message, "version", "hello", "");
  const std::string framing = text_field(message, "framing", "hello", "lines");
  if (framing != "lines" && framing != "cbor")
    wrong("hello.framing", fmt::format("there is no '{}' (lines, cbor)", framing));
  hello.framing = framing == "cbor" ? Framing::Cbor : Framing::Lines;
  if (const json numbers = message.value("numbers", json(false)); numbers.is_boolean())
    hello.numbers = numbers;
  else
    wrong("hello.numbers", "true or false is needed");
  hello.window = std::clamp(number_field(message, "window", "hello", hello.window), 1u, 4096u);
  hello.relations = object_field(message, "relations", "hello");
  hello.operations = object_field(message, "operations", "hello");
  hello.initial = object_field(message, "initial", "hello");
  hello.main = text_field(message, "main", "hello", "");
  for (const json& actor : list_field(message, "actors", "hello")) {
    if (!actor.is_string()) wrong("hello.actors", "names are needed");
    hello.actors.push_back(actor);
  }
  return hello;
}

u32 Reader::event(const json& value, const std::string& place, Role role) {
  if (value.is_number_unsigned()) {
    const u64 number = value;
    if (number >= described_.size())
      wrong(place, fmt::format("event {} has not been described ({} have)", number, described_.size()));
    return described_[number];
  }
  check_event(value, place);
  const bool own_id = value.contains("id");
  if (!own_id && role == Role::Alternative) wrong(place, "an alternative needs an 'id' of its own");
  std::string id;
  if (!own_id) {
    const u32 actor = catalogue_.actor(value["actor"]);
    id = fmt::format("{}:{}", value["actor"].get<std::string>(), actor < performed_.size() ? performed_[actor] : 0);
  }
  const u32 number = catalogue_.add(value, id);
  numbers_.try_emplace(catalogue_[number].id, static_cast<u32>(described_.size()));
  described_.push_back(number);
  return number;
}

std::optional<u32> Reader::number_of(Symbol id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

void Reader::events(const json& list, const std::string& place, Execution& run) {
  size_t index = 0;
  for (const json& value : list) {
    run.events.push_back(
        event(value, value.is_number() ? place : fmt::format("{}[{}]", place, index), Role::Performed));
    const u32 actor = catalogue_[run.events.back()].actor;
    if (actor >= performed_.size()) performed_.resize(actor + 1);
    ++performed_[actor];
    ++index;
  }
}

void Reader::end(const json& message, Execution& run) {
  run.status = status_of(text_field(message, "status", "end"));
  events(list_field(message, "events", "end"), "events", run);
  size_t index = 0;
  for (const json& value : list_field(message, "pending", "end"))
    run.pending.push_back(event(value, fmt::format("pending[{}]", index++), Role::Pending));
  index = 0;
  for (const json& value : list_field(message, "alternatives", "end")) {
    const std::string place = fmt::format("alternatives[{}]", index++);
    if (!value.is_object() || !value.contains("event")) wrong(place, "an object with 'at' and 'event' is needed");
    const u32 at = number_field(value, "at", place, ~u32{0});
    if (at >= run.events.size()) wrong(place + ".at", fmt::format("the run has {} events", run.events.size()));
    run.alternatives.push_back({at, event(value["event"], place + ".event", Role::Alternative)});
  }
  const size_t all = run.events.size() + run.pending.size();
  take_pairs(message, "must", all, run.given.must);
  take_pairs(message, "interferes", all, run.given.interferes);
  take_pairs(message, "enables", all, run.given.enables);
  run.message = for_people(text_field(message, "message", "end", ""));
  if (message.contains("result")) run.result = text_field(message, "result", "end", "");
  if (run.status == EndStatus::Failed) {
    const json failure = object_field(message, "failure", "end");
    run.failure = {text_field(failure, "kind", "failure", "assertion"),
                   for_people(text_field(failure, "message", "failure")), text_field(failure, "actor", "failure", ""),
                   text_field(failure, "file", "failure", ""), number_field(failure, "line", "failure", 0)};
  }
  if (run.status == EndStatus::Diverged) run.at = number_field(message, "at", "end", 0);
  ids_.clear();
  for (const u32 number : run.events) ids_.push_back(catalogue_[number].id);
  std::sort(ids_.begin(), ids_.end());
  if (const auto twice = std::adjacent_find(ids_.begin(), ids_.end()); twice != ids_.end())
    wrong("events", fmt::format("two events of the run have the id '{}'", catalogue_.symbols.text(*twice)));
  for (size_t i = 0; i < run.pending.size(); ++i)
    if (const Symbol id = catalogue_[run.pending[i]].id; std::binary_search(ids_.begin(), ids_.end(), id))
      wrong(fmt::format("pending[{}]", i),
            fmt::format("'{}' has been performed in this run", catalogue_.symbols.text(id)));
  performed_.clear();
}

bool Reader::take(const json& message, Execution& run) {
  const std::string type = text_field(message, "type", "message");
  if (type == "event") {
    events(json::array({message.value("event", json())}), "event", run);
    return false;
  }
  if (type == "events") {
    events(list_field(message, "events", "events"), "events", run);
    return false;
  }
  if (type != "end") throw std::invalid_argument(fmt::format("a message of the type '{}' is not expected here", type));
  end(message, run);
  return true;
}

}  // namespace plait::exogenous
