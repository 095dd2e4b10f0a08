// What a preemption is: a thread that could have gone on, and did not say that it lets others go first, is interrupted
// by another one.
#pragma once
#include "trace/event.h"

namespace plait {

/// The point that `previous` took is over; `enabled` could step now, and `thread` does. `previous` null: at the start.
inline bool is_preemption(const Event* previous, ThreadSet enabled, ThreadId thread) {
  return previous && previous->thread != thread && (enabled & bit(previous->thread)) && previous->op != Op::Yield;
}

}  // namespace plait
