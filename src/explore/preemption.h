// What a preemption is: a thread that could have gone on, and did not say that it lets others go first, is interrupted
// by another one. Flushes of store buffers are no turns of threads: they interrupt nobody, and a thread that goes on
// after some was not interrupted. A thread that has to wait, be it for its own buffer, has ended its turn: whoever goes
// on when it could again interrupts nobody.
#pragma once
#include "machine/memory_model.h"

namespace plait {

class Turn {
 public:
  /// Nobody: kNoThread.
  ThreadId thread() const { return thread_; }

  /// This scheduling point is over.
  void note(const Event& point) {
    if (point.op != Op::Flush)
      thread_ = point.op == Op::Yield ? kNoThread : point.thread;
    else if (thread_ != kNoThread && !(point.enabled & bit(thread_)))
      thread_ = kNoThread;
  }

  /// `enabled` could step now, and `next` (a thread, or a buffer) does.
  bool is_preempted(const machine::MemoryRules& memory, ThreadSet enabled, ThreadId next) const {
    return thread_ != kNoThread && thread_ != next && (enabled & bit(thread_)) && !memory.is_buffer(next);
  }

 private:
  ThreadId thread_ = kNoThread;
};

}  // namespace plait
