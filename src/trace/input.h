// An input of the program, which a check explores or a bug file fixes.
#pragma once
#include "trace/types.h"

namespace plait {

/// An input of the program: which call of which thread, by its name and range. A plain value: bug files keep it.
struct InputVariable {
  u64 id;     // hash of the rest but for the value; 0: a free slot
  u64 value;  // of the round; the engine's to write, while no worker runs
  u64 low, high;
  u32 index;  // how many inputs its thread has taken before
  ThreadId thread;
  u8 width;      // bits
  u8 is_signed;  // low and high are
  u8 ready;      // all but the value is there: a run has taken it
  u8 has_value;  // else the default: 0, or the least of the range
  u8 has_range;  // else all values of the width
  u8 pad[2];
  char name[44];
};

}  // namespace plait
