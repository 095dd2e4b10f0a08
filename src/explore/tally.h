// Counts of one batch, added to the shared counters at its end: atomics once per run would cost more than the run's
// rest.
#pragma once
#include <utility>

#include "explore/control.h"
#include "trace/session.h"

namespace plait {

class Tally {
 public:
  explicit Tally(Counters& counters) : counters_(counters) {}
  void add(const Reply& reply) {
    ++executions_;
    events_ += reply.events + reply.skipped;
    switch (reply.status) {
      case RunStatus::Complete:
      case RunStatus::Failed: ++interleavings_; break;
      case RunStatus::Blocked:
      case RunStatus::Redundant: ++blocked_; break;
      case RunStatus::Limit: ++limited_; break;
      default: break;
    }
  }
  void flush() {
    constexpr auto relaxed = std::memory_order_relaxed;
    counters_.executions.fetch_add(std::exchange(executions_, 0), relaxed);
    counters_.events.fetch_add(std::exchange(events_, 0), relaxed);
    counters_.interleavings.fetch_add(std::exchange(interleavings_, 0), relaxed);
    counters_.blocked.fetch_add(std::exchange(blocked_, 0), relaxed);
    counters_.limited.fetch_add(std::exchange(limited_, 0), relaxed);
  }

 private:
  Counters& counters_;
  u64 executions_ = 0, events_ = 0, interleavings_ = 0, blocked_ = 0, limited_ = 0;
};

}  // namespace plait
