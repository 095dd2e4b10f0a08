#include "exogenous/catalogue.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plait::exogenous {
namespace {

/// What has a field of its own, or is only for people.
bool is_plain_attribute(const std::string& name) {
  return name != "id" && name != "label" && name != "file" && name != "line";
}

std::string default_label(const nlohmann::json& event) {
  std::string label = event.at("kind");
  if (const auto object = event.find("object"); object != event.end())
    label += " " + (object->is_string() ? object->get<std::string>() : object->dump());
  return label;
}

}  // namespace

std::string for_people(std::string text) {
  constexpr size_t kMost = 4000;
  if (text.size() <= kMost) return text;
  size_t end = kMost;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // not inside of a character
  return text.substr(0, end) + fmt::format("... ({} bytes)", text.size());
}

Symbol Symbols::of(const std::string& text) {
  std::lock_guard lock(mutex_);
  const auto [at, fresh] = numbers_.try_emplace(text, static_cast<Symbol>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return at->second;
}

const std::string& Symbols::text(Symbol symbol) const {
  std::lock_guard lock(mutex_);
  return texts_.at(symbol);
}

size_t Symbols::size() const {
  std::lock_guard lock(mutex_);
  return texts_.size();
}

Symbol Description::attribute(Symbol name) const {
  const auto at = std::lower_bound(attributes.begin(), attributes.end(), std::pair(name, Symbol{0}));
  return at != attributes.end() && at->first == name ? at->second : kNoSymbol;
}

Symbol Catalogue::symbol_of(const nlohmann::json& value) { return symbols.of(value.dump()); }

u32 Catalogue::add(const nlohmann::json& event, const std::string& default_id) {
  const std::string id = event.value("id", default_id);
  const std::string key = event.dump() + "\n" + id;
  const u32 actor_number = actor(event.at("actor"));
  {
    std::lock_guard lock(mutex_);
    if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  }
  Description description;
  description.id = symbols.of(id);
  description.actor = actor_number;
  description.name = event.at("actor");
  description.kind = event.at("kind");
  description.label = for_people(event.value("label", default_label(event)));
  description.file = event.value("file", "");
  description.line = event.value("line", 0u);
  for (const auto& [name, value] : event.items())
    if (is_plain_attribute(name)) description.attributes.emplace_back(symbols.of(name), symbol_of(value));
  description.attributes.emplace_back(symbols.of("id"), symbol_of(id));
  std::sort(description.attributes.begin(), description.attributes.end());
  std::lock_guard lock(mutex_);
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<u32>(descriptions_.size()));
  if (fresh) descriptions_.push_back(std::move(description));
  return at->second;
}

const Description& Catalogue::operator[](u32 number) const {
  std::lock_guard lock(mutex_);
  return descriptions_.at(number);
}

u32 Catalogue::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<u32>(descriptions_.size());
}

u32 Catalogue::actor(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto [at, fresh] = actors_.try_emplace(name, static_cast<u32>(actor_names_.size()));
  if (fresh) actor_names_.push_back(name);
  return at->second;
}

std::string Catalogue::actor_name(u32 actor) const {
  std::lock_guard lock(mutex_);
  return actor_names_.at(actor);
}

u32 Catalogue::actors() const {
  std::lock_guard lock(mutex_);
  return static_cast<u32>(actor_names_.size());
}

std::string Catalogue::text(u32 number) const {
  const Description& event = (*this)[number];
  return event.name + ": " + event.label;
}

}  // namespace plait::exogenous
