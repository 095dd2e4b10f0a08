#include "report/layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace plait {
namespace {

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
    const size_t end = std::min(text_.find_first_of("*{[];}"), text_.size());
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
      if (depth == 0 && (c == ';' || c == '}' || c == ']')) break;
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    std::string_view type = text_.substr(0, end);
    text_.remove_prefix(end);
    return type;
  }
  bool is_empty() const { return text_.empty(); }

 private:
  std::string_view text_;
};

struct Member {
  u64 offset, size;
  std::string_view name, type;
};

/// In a union several members hold the bytes: one of exactly that size is meant.
std::optional<Member> member_at(std::string_view layout, u64 offset, u64 size) {
  Reader reader(layout);
  std::optional<Member> best;
  if (!reader.take('{')) return best;
  while (!reader.is_empty() && !reader.take('}')) {
    Member member{};
    member.offset = reader.number();
    if (!reader.take(',')) break;
    member.size = reader.number();
    if (!reader.take(',')) break;
    member.name = reader.name();
    member.type = reader.type();
    if (!reader.take(';')) break;
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

Part part_at(std::string_view layout, u64 offset, u64 size) { return find_part(layout, offset, size, false); }

Part part_that_begins_at(std::string_view layout, u64 offset) { return find_part(layout, offset, 1, true); }

}  // namespace plait
