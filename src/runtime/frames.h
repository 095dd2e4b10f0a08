// Which registers and which bytes of a thread's stack nobody will read before they are written: stale values that would
// make equal states look different. The linked program says it for each call (trace/frames.h); the frames above are
// gone through one by one, up to the first one that is not known.
#pragma once
#include "runtime/entry.h"
#include "runtime/layout.h"

namespace plait::runtime {

/// Looks for the program's table. Without one, everything counts as alive.
void attach_frames();

struct DeadWords {
  u8 registers;  // of Entry::kept, by bit
  u32 count;
  Range range[256];  // of the stack, sorted, disjoint
};

/// Of the thread that has entered the runtime, whose stack ends there.
void find_dead(const Entry& entry, u64 stack_end, DeadWords& dead);

}  // namespace plait::runtime
