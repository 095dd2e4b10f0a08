// What a type is made of (instrument/type_text.h has the grammar), and which part of an object some bytes are.
#pragma once
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

}  // namespace plait
