// What the compiler knows of a unit's dependences: section "plait_depends" of a program, one block for each unit.
//
//   BlockHeader, then `bytes` bytes of numbers (LEB128):
//   nodes     how many
//   names     count, then (node, name, hooked): the same node in every unit that has the name; hooked: memory that is
//             accessed by operations only
//   defined   count, then names of functions that the unit has compiled
//   taken     count, then names of variables whose address the unit takes
//   external  count, then (name, kind, args, enter, exit, result): a function that the unit calls; it counts as unknown
//             if no unit defines it
//   sites     count, then (row of the unit's site table, kind, node)
//   edges     count, then (from, to)
//   guarded   count, then (name of a variable, from, to): an edge if some unit takes the variable's address
// Names are 64-bit hashes. docs/papers.md has the meaning of nodes and edges.
#pragma once
#include "trace/types.h"

namespace plait::depends {

inline constexpr u32 kMagic = 0x50445031;  // changes with the layout and the meaning
inline constexpr const char* kSection = "plait_depends";
inline constexpr const char* kSiteSection = "plait_sites";
inline constexpr u32 kSiteBytes = 40;

struct BlockHeader {
  u32 magic;
  u32 bytes;
  i64 sites;  // the unit's first site, relative to this field
};
static_assert(sizeof(BlockHeader) == 16);

/// Nodes that every unit has, under the same numbers.
enum Common : u32 {
  kMemory,   // what any store has put anywhere
  kPointer,  // what a store of unknown type has put somewhere
  kCalled,   // code that nobody sees calls back
  kEnd,      // a function that nobody calls by name returns
  kLongJump,
  kCommon
};

enum class SiteKind : u8 {
  Source,   // the value that a load or an update receives
  Control,  // whether the operation happens, and where, as far as its function decides
  Entered,  // the same, as far as the function's callers do
  Data,     // what it brings
  Opaque,   // of its values nothing is known
};

enum class External : u8 {
  Quiet,    // what it does depends on its arguments, and on nothing in memory
  Reads,    // on memory, too
  Unknown,  // it may also call the program's functions
  Pointer,  // any function of this type whose address is taken
};

}  // namespace plait::depends
