#include "report/object_names.h"

#include <fmt/core.h>

#include "machine/operation.h"

namespace plait {
namespace {

/// By its own name, not as what some pointer points to.
bool is_direct(const std::string& text) { return text.find("->") == std::string::npos && text[0] != '*'; }

}  // namespace

bool has_memory_location(Op op) {
  switch (op) {
    case Op::Fork:
    case Op::Begin:
    case Op::End:
    case Op::Join:
    case Op::Yield:
    case Op::Exit:
    case Op::Fence:
    case Op::Output:
    case Op::Input:
    case Op::AtomicBegin:
    case Op::AtomicEnd:
    case Op::Assume:
    case Op::Extension: return false;
    default: return true;
  }
}

ObjectNames::ObjectNames(const ProgramMap& map, std::span<const Event> events) : map_(map) {
  for (const Event& event : events) {
    // The mutex that a waiter takes again is not what its call is about.
    if (!has_memory_location(event.op) || event.op == Op::Reacquire || map.variable(event.location)) continue;
    const std::string text = map.expression(event.site);
    if (text.empty()) continue;
    std::string& name = names_[{machine::is_sync(event.op), event.location}];
    if (name.empty() || (!is_direct(name) && is_direct(text))) name = text;
  }
  std::map<std::string, u32> uses;
  for (const auto& [key, name] : names_)
    if (key.first) ++uses[name];
  for (auto& [key, name] : names_)
    if (key.first && uses[name] > 1) name = fmt::format("{} ({})", name, map.name(key.second));
}

std::string ObjectNames::name(const Event& event, const Place& place) const {
  if (!machine::is_sync(event.op)) {
    if (!place.text.empty()) return place.text;
    const std::string text = map_.variable(event.location) ? "" : map_.expression(event.site);
    if (!text.empty()) return text;
  }
  const auto known = names_.find({machine::is_sync(event.op), event.location});
  return known != names_.end() ? known->second : map_.name(event.location);
}

}  // namespace plait
