#include "explore/control.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/memory_use.h"

namespace plait {

namespace {

constexpr auto kLook = std::chrono::milliseconds(20);
constexpr double kGrace = 0.4;  // seconds

}  // namespace

Control::Control(const Limits& limits) : limits_(limits), begin_(std::chrono::steady_clock::now()) {
  if (!limits_.seconds && !memory_limit()) return;
  watch_ = std::jthread([this](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, over, kLook, [&] { return over.stop_requested(); })) check_limits();
  });
}

u64 Control::take(u64 wanted) {
  if (stopped()) return 0;
  if (!limits_.executions) return wanted;
  u64 before = taken_.fetch_add(wanted, std::memory_order_relaxed);
  u64 allowed = before >= *limits_.executions ? 0 : std::min(wanted, *limits_.executions - before);
  if (allowed < wanted) give_back(wanted - allowed);
  if (allowed == 0) stop(StopReason::MaxExecutions);
  return allowed;
}

u64 Control::left() const {
  if (!limits_.executions) return ~u64{0};
  const u64 taken = taken_.load(std::memory_order_relaxed);
  return *limits_.executions - std::min(*limits_.executions, taken);
}

void Control::stop(StopReason reason) {
  StopReason none = StopReason::None;
  reason_.compare_exchange_strong(none, reason);
  stop_.store(true);
  if (reason == StopReason::Timeout || reason == StopReason::Interrupted || reason == StopReason::Memory)
    cancel_.store(true);
}

void Control::check_limits() {
  // Between two looks a search takes some more; large structures ask by themselves.
  constexpr u64 kMargin = u64{64} << 20;
  if (!has_room_for(std::min(kMargin, memory_limit() / 16))) stop(StopReason::Memory);
  if (!limits_.seconds || seconds() < *limits_.seconds) return;
  stop(StopReason::Timeout);
  if (seconds() >= *limits_.seconds + kGrace) abandon_.store(true);
}

std::optional<double> Control::seconds_left() const {
  if (!limits_.seconds) return std::nullopt;
  return std::max(0.0, *limits_.seconds - seconds());
}

double Control::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace plait
