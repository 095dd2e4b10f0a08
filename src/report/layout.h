// What a type is made of (instrument/type_text.h has the grammar), and which part of an object some bytes are.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "trace/types.h"

namespace plait {

struct Part {
  std::string path;      // ".head.next", "[3].state"; empty: the object itself
  u64 rest = 0;          // bytes into that part, if it has no parts with names there
  bool pointer = false;  // it is one, or a library's object around one
};

/// The innermost part with a name that holds the bytes [offset, offset + size). An empty layout has no parts.
Part part_at(std::string_view layout, u64 offset, u64 size);

/// The outermost part that begins at this offset: what a pointer to it is meant for. Of an array its element.
Part part_that_begins_at(std::string_view layout, u64 offset);

/// A std::vector or std::string, whose first word points to its elements, or another container, in some part.
struct ContainerPart {
  u64 offset = 0;  // where it begins
  bool contiguous = false;
  u64 stride = 0;            // contiguous: of its elements
  std::string_view element;  // their layout
};

/// The innermost container that this byte belongs to.
std::optional<ContainerPart> container_at(std::string_view layout, u64 offset);

struct Slot {
  u64 offset = 0, size = 0;
  std::string_view type;
};

/// The member of that name, also inside of parts without names.
std::optional<Slot> find_member(std::string_view layout, std::string_view name);

}  // namespace plait
