#include "explore/control.h"

#include <algorithm>

namespace plait {

Control::Control(const Limits& limits) : limits_(limits), begin_(std::chrono::steady_clock::now()) {}

u64 Control::take(u64 wanted) {
  if (stopped()) return 0;
  if (!limits_.executions) return wanted;
  u64 before = taken_.fetch_add(wanted, std::memory_order_relaxed);
  u64 allowed = before >= *limits_.executions ? 0 : std::min(wanted, *limits_.executions - before);
  if (allowed < wanted) give_back(wanted - allowed);
  if (allowed == 0) stop(StopReason::MaxExecutions);
  return allowed;
}

void Control::stop(StopReason reason) {
  StopReason none = StopReason::None;
  reason_.compare_exchange_strong(none, reason);
  stop_.store(true);
  if (reason == StopReason::Timeout || reason == StopReason::Interrupted) cancel_.store(true);
}

void Control::check_time() {
  if (limits_.seconds && seconds() >= *limits_.seconds) stop(StopReason::Timeout);
}

double Control::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace plait
