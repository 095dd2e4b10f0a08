// What a preemption is: a thread that could have gone on, and did not say that it lets others go first, is interrupted
// by another one. Flushes of store buffers are no turns of threads: they interrupt nobody, and a thread that goes on
// after some was not interrupted. A thread that waits for its buffer could not have gone on.
#pragma once
#include "trace/event.h"

namespace plait {

/// `previous` was the last step of a thread (null: at the start); `enabled` could step now, and `thread`, or that
/// buffer, does.
inline bool is_preemption(MemoryModel model, const Event* previous, ThreadSet enabled, ThreadId thread) {
  return previous && !is_buffer(model, thread) && previous->thread != thread && (enabled & bit(previous->thread)) &&
         previous->op != Op::Yield;
}

}  // namespace plait
