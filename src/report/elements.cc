#include "report/elements.h"

#include <fmt/core.h>

#include <cctype>
#include <cstring>
#include <deque>
#include <set>

#include "machine/operation.h"
#include "report/names.h"

namespace plait {
namespace {

constexpr size_t kLongestKey = 24;

struct NodeType {
  std::string_view name;
  u64 header;  // the links, in front of the element
};
constexpr NodeType kNodes[] = {{"std::_Rb_tree_node<", 32},
                               {"std::_List_node<", 16},
                               {"std::_Fwd_list_node<", 8},
                               {"std::__detail::_Hash_node<", 8}};
/// An object and its counts of references in one block.
constexpr std::string_view kCountedInPlace = "std::_Sp_counted_ptr_inplace<";

constexpr std::string_view kLinks = "the links of ", kKey = "the key of ", kInside = "the inside of ";

/// Zero: it is no node.
u64 header_of(const std::string& type) {
  for (const NodeType& node : kNodes)
    if (type.starts_with(node.name)) return node.header;
  return 0;
}

std::string first_argument(std::string_view type) {
  const size_t begin = type.find('<') + 1;
  int depth = 0;
  size_t end = begin;
  for (; end < type.size(); ++end) {
    if (depth == 0 && (type[end] == ',' || type[end] == '>')) break;
    depth += type[end] == '<' ? 1 : type[end] == '>' ? -1 : 0;
  }
  while (end > begin && type[end - 1] == ' ') --end;
  return std::string(type.substr(begin, end - begin));
}

u64 number_at(const std::string& bytes, u64 offset, u64 size) {
  u64 value = 0;
  std::memcpy(&value, bytes.data() + offset, size);
  return value;
}

std::string with_rest(const Part& part) { return part.path + (part.rest ? fmt::format("+{}", part.rest) : ""); }

/// Without the first index: which element of several it is says nothing where the first one moves.
std::string without_index(std::string path) {
  const size_t end = path.starts_with('[') ? path.find(']') : std::string::npos;
  return end == std::string::npos ? path : path.substr(end + 1);
}

bool is_printable(std::string_view text) {
  for (const char c : text)
    if (!std::isprint(static_cast<unsigned char>(c)) || c == '"' || c == '\\') return false;
  return true;
}

}  // namespace

std::string readable_type(const std::string& type) {
  if (type.starts_with(kCountedInPlace) || header_of(type)) return readable_type(first_argument(type));
  if (type.starts_with("std::__future_base::")) return "shared state";
  // The library's own: people know what it is for, not what it is called.
  return type.starts_with("std::") && type.find("::_") != std::string::npos ? "" : type;
}

std::string container_in(std::string name) {
  for (const std::string_view part : {kLinks, kKey, kInside})
    if (name.starts_with(part)) name.erase(0, part.size());
  const size_t index = name.ends_with(']') ? name.rfind('[') : std::string::npos;
  return name.substr(0, index);
}

std::string block_layout(const std::string& layout, u64 size) {
  const std::string whole = fmt::format("[{}", size);
  if (!layout.starts_with(whole) || layout.size() < whole.size() + 1) return layout;
  if (std::isdigit(static_cast<unsigned char>(layout[whole.size()]))) return layout;
  return layout.substr(whole.size(), layout.size() - whole.size() - 1);
}

std::string Element::name() const {
  switch (kind) {
    case Items: return owner + "[]";
    case Node: return owner + key;
    case Some: return owner + "[..]";
    case Inner: break;
  }
  return fmt::format("{}{}", kInside, owner);
}

std::string Element::name(u64 offset, u64 size) const {
  switch (kind) {
    case Items: return owner + fmt::format("[{}]", offset / stride) + with_rest(part_at(layout, offset % stride, size));
    case Some: return owner + "[..]" + without_index(with_rest(part_at(layout, offset, size)));
    case Inner: return name();
    case Node: break;
  }
  if (offset < header) return fmt::format("{}{}", kLinks, owner);
  std::string path = with_rest(part_at(layout, offset, size));
  if (path.starts_with(".first")) return fmt::format("{}{}{}", kKey, owner, key);
  if (path.starts_with(".second")) path = path.substr(7);
  return owner + key + (path.starts_with('+') ? "" : path);
}

Elements::Elements(const ProgramMap& map, const Account& account, std::span<const Event> events, Namer name_of)
    : map_(map), account_(account), name_of_(std::move(name_of)) {
  auto add = [&](u64 at, u64 value) {
    if (const AccountBlock* block = account_.block_at(value)) pointers_.emplace(block->begin, at);
  };
  for (const auto& [at, value] : account_.pointers) add(at, value);
  // What was taken out of a container since.
  for (const Event& event : events)
    if (event.op == Op::Store && event.size == 8) add(event.location, event.operand);
}

/// A library's code has allocated it for itself.
bool Elements::is_internal(const AccountBlock& block) const {
  const std::vector<Place> places = map_.frames(block.call);
  if (places.empty() || !in_system_header(places.front().file)) return false;
  const ProgramMap::Type* type = map_.type_at(block.call);
  return type && !type->name.starts_with(kCountedInPlace);
}

std::optional<Elements::Owner> Elements::container(u64 address) const {
  u64 begin = 0;
  std::string layout;
  if (const ProgramMap::Variable* variable = map_.variable_at(address)) {
    begin = variable->begin;
    layout = variable->type.layout;
  } else if (const AccountBlock* block = account_.block_at(address)) {
    begin = block->begin;
    if (const ProgramMap::Type* type = map_.type_at(block->call)) layout = block_layout(type->layout, block->size);
  } else if (const AccountLocal* local = account_.local_at(address, ~u64{0})) {
    begin = local->begin;
    if (const ProgramMap::Type* type = map_.type_at(local->site)) layout = type->layout;
  }
  const std::optional<ContainerPart> part = container_at(layout, address - begin);
  if (!part) return std::nullopt;
  Owner owner{begin + part->offset, *part};
  // The text above does not live long enough.
  owner.part.element = {};
  return owner;
}

std::optional<Elements::Owner> Elements::owner_of(const AccountBlock& block) const {
  std::deque<u64> next{block.begin};
  std::set<u64> seen{block.begin};
  while (!next.empty()) {
    const u64 current = next.front();
    next.pop_front();
    for (auto [at, end] = pointers_.equal_range(current); at != end; ++at) {
      const u64 address = at->second;
      if (const std::optional<Owner> owner = container(address)) {
        // A vector's first word points to its elements.
        if (!owner->part.contiguous || (current == block.begin && address == owner->address)) return owner;
        continue;
      }
      const AccountBlock* holder = account_.block_at(address);
      if (holder && is_internal(*holder) && seen.insert(holder->begin).second) next.push_back(holder->begin);
    }
  }
  return std::nullopt;
}

/// The characters of the std::string there; empty: not known, or not fit to be shown.
std::string Elements::text_at(const AccountBlock& block, u64 offset) const {
  const auto bytes = account_.bytes.find(block.begin);
  if (bytes == account_.bytes.end() || offset + 32 > bytes->second.size()) return "";
  const u64 at = number_at(bytes->second, offset, 8), length = number_at(bytes->second, offset + 8, 8);
  std::string text;
  if (at == block.begin + offset + 16 && length < 16)
    text = bytes->second.substr(offset + 16, length);
  else if (const auto far = account_.bytes.find(at); far != account_.bytes.end())
    text = far->second.substr(0, length);
  if (text.size() > kLongestKey) text = text.substr(0, kLongestKey - 2) + "..";
  return is_printable(text) ? text : "";
}

std::string Elements::key_of(const AccountBlock& block, std::string_view layout) const {
  const std::optional<Slot> first = find_member(layout, "first");
  const auto bytes = account_.bytes.find(block.begin);
  if (!first || bytes == account_.bytes.end()) return "[..]";
  if (first->type.starts_with("<1")) {
    const std::string text = text_at(block, first->offset);
    return text.empty() ? "[..]" : fmt::format("[\"{}\"]", text);
  }
  if (!first->type.empty() || first->size > 8 || first->offset + first->size > bytes->second.size()) return "[..]";
  return fmt::format("[{}]",
                     value_text(number_at(bytes->second, first->offset, first->size), static_cast<u32>(first->size)));
}

std::optional<Element> Elements::make(const AccountBlock& block) {
  const ProgramMap::Type* type = map_.type_at(block.call);
  if (!type || !is_internal(block)) return std::nullopt;
  const std::optional<Owner> owner = owner_of(block);
  if (!owner) return std::nullopt;
  Element element;
  element.owner = name_of_(owner->address);
  if (element.owner.empty()) return std::nullopt;
  element.layout = type->layout;
  if (owner->part.contiguous) {
    element.kind = Element::Items;
    element.stride = owner->part.stride;
    element.layout = block_layout(element.layout, element.stride);
  } else if ((element.header = header_of(type->name))) {
    element.kind = Element::Node;
    element.layout = block_layout(element.layout, block.size);
    element.key = key_of(block, element.layout);
  } else if (!type->name.empty() && type->name.find("_node_base") == std::string::npos) {
    element.kind = Element::Some;
  }
  return element;
}

std::optional<u64> Elements::container_of(const AccountBlock& block) const {
  if (!is_internal(block)) return std::nullopt;
  const std::optional<Owner> owner = owner_of(block);
  return owner ? std::optional(owner->address) : std::nullopt;
}

const Element* Elements::of(const AccountBlock& block) {
  auto [at, fresh] = known_.emplace(block.begin, std::nullopt);  // a circle of containers has no name
  if (fresh) {
    std::optional<Element> made = make(block);
    at->second = std::move(made);
  }
  return at->second ? &*at->second : nullptr;
}

}  // namespace plait
