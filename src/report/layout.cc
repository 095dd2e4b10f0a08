#include "report/layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace plait {
namespace {

struct Member {
  u64 offset, size;
  std::string_view name, type;
};

/// A text that a program wrote: nothing about it is sure.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  u64 number() {
    u64 value = 0;
    auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return value;
  }
  std::string_view name() {
    const size_t end = std::min(text_.find_first_of("*{[<(];}"), text_.size());
    std::string_view name = text_.substr(0, end);
    text_.remove_prefix(end);
    return name;
  }
  /// The type that follows.
  std::string_view type() {
    size_t end = 0;
    int depth = 0;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (depth == 0 && (c == ';' || c == '}' || c == ']' || c == '>')) break;
      depth += c == '{' || c == '[' || c == '<' ? 1 : c == '}' || c == ']' || c == '>' ? -1 : 0;
    }
    std::string_view type = text_.substr(0, end);
    text_.remove_prefix(end);
    return type;
  }
  /// The next member of a struct; none: its end.
  std::optional<Member> member() {
    if (text_.empty() || take('}')) return std::nullopt;
    Member member{};
    member.offset = number();
    if (!take(',')) return std::nullopt;
    member.size = number();
    if (!take(',')) return std::nullopt;
    member.name = name();
    member.type = type();
    return take(';') ? std::optional(member) : std::nullopt;
  }

 private:
  std::string_view text_;
};

bool is_container(std::string_view layout) { return layout.starts_with('<') || layout.starts_with('('); }

/// In a union several members hold the bytes: one of exactly that size is meant.
std::optional<Member> member_at(std::string_view layout, u64 offset, u64 size) {
  Reader reader(layout);
  std::optional<Member> best;
  if (!reader.take('{')) return best;
  while (std::optional<Member> found = reader.member()) {
    const Member& member = *found;
    const bool holds = member.offset <= offset && offset + size <= member.offset + member.size;
    if (holds && (!best || (best->size != size && member.size == size))) best = member;
  }
  return best;
}

}  // namespace

namespace {

Part find_part(std::string_view layout, u64 offset, u64 size, bool outermost) {
  Part part;
  bool nameless = false;  // inside of a part without a name
  if (size == 0) size = 1;
  for (int depth = 0; depth < 64; ++depth) {
    if (outermost && offset == 0 && depth > 0) break;
    if (layout.starts_with('[')) {
      Reader reader(layout.substr(1));
      const u64 stride = reader.number();
      if (stride == 0 || (offset % stride) + size > stride) break;
      part.path += fmt::format("[{}]", offset / stride);
      offset %= stride;
      layout = reader.type();
      continue;
    }
    // What a container keeps about itself.
    nameless |= is_container(layout);
    const std::optional<Member> member = member_at(layout, offset, size);
    if (!member) break;
    nameless |= member->name.empty();
    if (!member->name.empty()) part.path += fmt::format(".{}", member->name);
    offset -= member->offset;
    layout = member->type;
  }
  part.pointer = layout == "*" && offset == 0;
  // Bytes of something that has names but not for these, such as padding.
  part.rest = nameless ? 0 : offset;
  return part;
}

}  // namespace

std::optional<ContainerPart> container_at(std::string_view layout, u64 offset) {
  u64 begin = 0;
  for (int depth = 0; depth < 64 && !is_container(layout); ++depth) {
    Reader reader(layout);
    if (reader.take('[')) {
      const u64 stride = reader.number();
      if (stride == 0) return std::nullopt;
      begin += offset / stride * stride;
      offset %= stride;
      layout = reader.type();
      continue;
    }
    const std::optional<Member> member = member_at(layout, offset, 1);
    if (!member) return std::nullopt;
    begin += member->offset;
    offset -= member->offset;
    layout = member->type;
  }
  if (!is_container(layout)) return std::nullopt;
  ContainerPart part{begin, layout[0] == '<', 0, {}};
  Reader reader(layout.substr(1));
  if (part.contiguous) {
    part.stride = reader.number();
    part.element = reader.type();
  }
  return part;
}

std::optional<Slot> find_member(std::string_view layout, std::string_view name) {
  Reader reader(layout);
  if (!reader.take('{')) return std::nullopt;
  while (std::optional<Member> member = reader.member()) {
    if (member->name == name) return Slot{member->offset, member->size, member->type};
    if (!member->name.empty()) continue;
    if (std::optional<Slot> inner = find_member(member->type, name)) {
      inner->offset += member->offset;
      return inner;
    }
  }
  return std::nullopt;
}

Part part_at(std::string_view layout, u64 offset, u64 size) { return find_part(layout, offset, size, false); }

Part part_that_begins_at(std::string_view layout, u64 offset) { return find_part(layout, offset, 1, true); }

}  // namespace plait
