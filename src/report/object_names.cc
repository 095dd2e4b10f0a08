#include "report/object_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "machine/operation.h"
#include "report/layout.h"
#include "report/names.h"

namespace plait {
namespace {

constexpr u64 kBlockKey = ~u64{0};  // in place of the event of a local variable

/// By its own name, not as what some pointer points to.
bool is_direct(const std::string& text) { return text.find("->") == std::string::npos && text[0] != '*'; }

/// "Node" of "bank::detail::Node": the whole name stands where the object is explained.
std::string short_type(const std::string& type) {
  if (type.find('<') != std::string::npos) return type.size() <= 30 ? type : "";
  const size_t colons = type.rfind("::");
  return colons == std::string::npos ? type : type.substr(colons + 2);
}

/// What fresh heap memory holds (runtime/heap.cc) in all of its bytes.
bool is_fill(u64 value, u32 size) {
  constexpr u64 kFill = 0xbebebebebebebebe;
  if (size < 2 || size > 8) return false;
  const u64 mask = size == 8 ? ~u64{0} : (u64{1} << (8 * size)) - 1;
  return (value & mask) == (kFill & mask);
}

u64 size_of(const Event& event) { return machine::is_block(event.op) ? event.operand : event.size; }

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
    case Op::Extension:
    case Op::Label: return false;
    default: return true;
  }
}

std::string object_text(const NamedObject& object) {
  const std::string function = object.made.function.empty() ? "" : " of " + object.made.function;
  const std::string place = object.made.known() ? " at " + short_place(object.made) : "";
  const std::string type = object.type.empty() ? "" : fmt::format(" ({})", object.type);
  switch (object.kind) {
    case NamedObject::Variable: return fmt::format("a global variable{}{}", type, place);
    case NamedObject::Local: {
      const std::string thread = thread_name(object.thread);
      const bool says_it = object.made.function == thread;  // main
      return fmt::format("a local variable{}{}{}{}", type, function, place, says_it ? "" : ", of " + thread);
    }
    case NamedObject::Block: break;
  }
  return fmt::format("the {}{}{}, allocated by {}", object.type.empty() ? "block" : object.type, function, place,
                     thread_name(object.thread));
}

ObjectNames::ObjectNames(const ProgramMap& map, std::span<const Event> events, Account account)
    : map_(map),
      events_(events),
      account_(std::move(account)),
      elements_(map_, account_, events_, [this](u64 address) { return name_of_container(address); }) {
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (!has_memory_location(event.op)) continue;
    collect(event.location, i);
    if (event.size != 8 || !machine::is_access(event.op)) continue;
    collect(event.value, i);
    collect(event.operand, i);
  }
  for (const AccountHold& hold : account_.holds) collect(hold.lock, hold.event);
  collect_owners();
  number_names();
  name_elements();
  collect_expressions();
}

/// Containers are needed for the names of their elements.
void ObjectNames::collect_owners() {
  for (size_t i = 0; i < objects_.size(); ++i) {
    const AccountBlock* block =
        objects_[i].kind == NamedObject::Block ? account_.block_at(objects_[i].address) : nullptr;
    if (!block) continue;
    if (const std::optional<u64> owner = elements_.container_of(*block)) collect(*owner, events_.size());
  }
}

std::string ObjectNames::name_of_container(u64 address) const { return find(address, 1, events_.size()).name; }

const Element* ObjectNames::element_of(const NamedObject& object) const {
  const AccountBlock* block = object.kind == NamedObject::Block ? account_.block_at(object.address) : nullptr;
  return block ? elements_.of(*block) : nullptr;
}

void ObjectNames::name_elements() {
  for (NamedObject& object : objects_)
    if (const Element* element = element_of(object)) object.name = element->name();
}

void ObjectNames::collect(u64 address, u64 event) {
  if (const ProgramMap::Variable* variable = map_.variable_at(address)) {
    if (!known_.emplace(std::pair(variable->begin, kBlockKey), objects_.size()).second) return;
    objects_.push_back({NamedObject::Variable, variable->name, variable->type.name, variable->begin, variable->size,
                        kNoThread, variable->place});
    layouts_.push_back(variable->type.layout);
  } else if (const AccountBlock* block = account_.block_at(address)) {
    if (known_.emplace(std::pair(block->begin, kBlockKey), objects_.size()).second) add_block(*block);
  } else if (const AccountBlock* below = account_.block_below(address)) {
    if (known_.emplace(std::pair(below->begin, kBlockKey), objects_.size()).second) add_block(*below);
  } else if (const AccountLocal* local = account_.local_at(address, event)) {
    if (map_.expression(local->site).empty()) return;
    if (known_.emplace(std::pair(local->begin, local->event), objects_.size()).second) add_local(*local);
  }
}

void ObjectNames::add_block(const AccountBlock& block) {
  const ProgramMap::Type* type = map_.type_at(block.call);
  if (!type) type = map_.type_at(block.site);
  if (type && readable_type(type->name).empty()) type = nullptr;
  NamedObject object;
  object.kind = NamedObject::Block;
  if (type) object.type = readable_type(type->name);
  object.name = short_type(object.type).empty() ? "block" : short_type(object.type);
  object.address = block.begin;
  object.size = block.size;
  object.thread = block.thread;
  object.made = map_.place(block.site);
  object.freed = block.freed;
  object.free_thread = block.free_thread;
  if (block.freed) object.ended = map_.place(block.free_site);
  objects_.push_back(std::move(object));
  layouts_.push_back(type ? block_layout(type->layout, block.size) : "");
}

void ObjectNames::add_local(const AccountLocal& local) {
  const ProgramMap::Type* type = map_.type_at(local.site);
  objects_.push_back({NamedObject::Local, map_.expression(local.site), type ? type->name : "", local.begin, local.size,
                      local.thread, map_.place(local.site)});
  layouts_.push_back(type ? type->layout : "");
}

/// Blocks and locals that would have the same name get numbers, or their thread's name.
void ObjectNames::number_names() {
  std::map<std::string, u32> uses, numbers;
  for (const NamedObject& object : objects_) ++uses[object.name];
  for (NamedObject& object : objects_) {
    if (object.kind == NamedObject::Variable || object.name.empty() || uses[object.name] < 2) continue;
    if (object.kind == NamedObject::Local && thread_name(object.thread) != object.made.function) {
      const std::string owned = fmt::format("{}'s {}", thread_name(object.thread), object.name);
      if (uses[owned]++ == 0) {
        object.name = owned;
        continue;
      }
    }
    object.name += fmt::format("#{}", ++numbers[object.name]);
  }
}

/// Each place in the program has its own expression for what it accesses. Of what has no object the first direct one
/// is the name.
void ObjectNames::collect_expressions() {
  for (size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    // The mutex that a waiter takes again is not what its call is about.
    if (!has_memory_location(event.op) || event.op == Op::Reacquire) continue;
    if (!find(event.location, size_of(event), i).name.empty()) continue;
    const std::string text = map_.expression(event.site);
    if (text.empty()) continue;
    std::string& name = names_[{machine::is_sync(event.op), event.location}];
    if (name.empty() || (!is_direct(name) && is_direct(text))) name = text;
  }
  // Who waits for whom can be seen only if no other lock has the same name.
  std::map<std::string, u32> uses;
  for (const auto& [key, name] : names_)
    if (key.first) ++uses[name];
  for (auto& [key, name] : names_)
    if (key.first && uses[name] > 1) name = fmt::format("{} ({})", name, map_.name(key.second));
}

ObjectNames::Found ObjectNames::find(u64 address, u64 size, u64 event) const {
  std::pair<u64, u64> key{0, kBlockKey};
  if (const ProgramMap::Variable* variable = map_.variable_at(address))
    key.first = variable->begin;
  else if (const AccountBlock* block = account_.block_at(address))
    key.first = block->begin;
  else if (const AccountLocal* local = account_.local_at(address, event))
    key = {local->begin, local->event};
  const auto known = known_.find(key);
  if (known == known_.end()) return {};
  const NamedObject& object = objects_[known->second];
  const std::string& layout = layouts_[known->second];
  const u64 offset = address - object.address;
  if (const Element* element = element_of(object)) return {&object, element->name(offset, size), false};
  const Part part = part_at(layout, offset, size < object.size || offset ? size : 1);
  const u64 rest = part.rest;
  return {&object, object.name + part.path + (rest ? fmt::format("+{}", rest) : ""), part.pointer};
}

std::string ObjectNames::name(size_t index, const Place& place) const {
  const Event& event = events_[index];
  Found found = find(event.location, size_of(event), index);
  const std::string said = place.text.empty() ? map_.expression(event.site) : place.text;
  // Without a type a block is what the source says about it.
  const bool untyped = found.object && found.object->kind == NamedObject::Block && found.object->type.empty();
  const bool element = untyped && element_of(*found.object) && found.name.find('+') == std::string::npos;
  if (untyped && !element && !said.empty() && !machine::is_sync(event.op)) return said;
  // The life of the whole begins or ends.
  const bool whole = found.object && machine::is_block(event.op) && found.object->address == event.location;
  if (whole && !found.name.empty()) return found.object->name;
  if (!found.name.empty()) return found.name;
  if (!machine::is_sync(event.op) && !said.empty()) return said;
  if (const AccountBlock* below = account_.block_below(event.location))
    if (const Found block = find(below->begin, 1, index); block.object) {
      const u64 offset = event.location - below->begin;
      const Element* element = element_of(*block.object);
      const bool counted = element && element->kind == Element::Items;
      return (counted ? element->name(offset, 1) : fmt::format("{}+{}", block.object->name, offset)) +
             " (behind its end)";
    }
  const auto known = names_.find({machine::is_sync(event.op), event.location});
  return known != names_.end() ? known->second : map_.name(event.location);
}

std::string ObjectNames::lock_name(u64 address, size_t event, u32 site) const {
  if (Found found = find(address, 1, event); !found.name.empty()) return found.name;
  if (auto known = names_.find({true, address}); known != names_.end()) return known->second;
  const std::string text = map_.expression(site);
  return text.empty() ? map_.name(address) : text;
}

std::string ObjectNames::value_name(size_t index, u64 value) const {
  const Event& event = events_[index];
  if (!machine::is_access(event.op)) return "";
  const Found at = find(event.location, event.size, index);
  const bool on_heap = at.object && at.object->kind == NamedObject::Block;
  if (on_heap && (is_fill(value, event.size) || is_fresh_byte(index, value))) return "uninitialised";
  if (event.size != 8) return "";
  if (value == 0) return at.pointer ? "null" : "";
  const Found target = find(value, 1, index);
  if (!target.object) {
    // Containers keep pointers behind their last element.
    const Found before = find(value - 1, 1, index);
    const bool ends = before.object && before.object->kind == NamedObject::Block &&
                      value == before.object->address + before.object->size;
    return ends ? "the end of " + before.object->name : "";
  }
  return pointer_name(value, index);
}

/// One byte that looks like fresh memory may be a letter: a store finds it, and no event has been there before.
bool ObjectNames::is_fresh_byte(size_t index, u64 value) const {
  const Event& event = events_[index];
  if (event.op != Op::Store || event.size != 1 || (value & 0xff) != 0xbe || (event.operand & 0xff) == 0xbe)
    return false;
  return std::none_of(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(index), [&](const Event& e) {
    const u64 size = size_of(e);
    const bool made = e.op == Op::Alloc || e.op == Op::Free;
    return has_memory_location(e.op) && !made && e.location <= event.location && event.location < e.location + size;
  });
}

/// A pointer to the whole says so, and one to an element of an array, not to the first member of it.
std::string ObjectNames::pointer_name(u64 address, u64 event) const {
  const Found target = find(address, 1, event);
  if (!target.object || target.object->name.empty()) return "";
  const NamedObject& object = *target.object;
  if (const Element* element = element_of(object))
    return "&" + (address == object.address && element->kind == Element::Node ? element->name() : target.name);
  const std::string& layout = layouts_[static_cast<size_t>(target.object - objects_.data())];
  const bool of_structs = layout.starts_with('[') && layout.find_first_not_of("0123456789", 1) == layout.find('{');
  if (address == object.address && !of_structs) return "&" + object.name;
  const Part part = part_that_begins_at(layout, address - object.address);
  return part.rest == 0 && !part.path.empty() ? "&" + object.name + part.path : "&" + target.name;
}

}  // namespace plait
