#include "host/patience.h"

#include <algorithm>

namespace plait {
namespace {

constexpr double kLeastBetweenLooks = 0.02;  // a look reads files in /proc, which the kernel makes for it
constexpr double kMostBetweenLooks = 0.2;    // more has passed: this process did not get to look

constexpr double kLongerIfStopped = 4;  // whoever has stopped it may let it go on

}  // namespace

Patience::Patience(const Process& process, double seconds) : process_(process), limit_(seconds) { renew(); }

void Patience::renew() {
  last_look_ = std::chrono::steady_clock::now();
  idle_ = stopped_ = 0;
}

Patience::Answer Patience::look() {
  const auto now = std::chrono::steady_clock::now();
  const double since = std::chrono::duration<double>(now - last_look_).count();
  if (since < kLeastBetweenLooks) return Answer::Wait;
  const double passed = std::min(kMostBetweenLooks, since);
  last_look_ = now;
  const std::chrono::nanoseconds cpu = process_.cpu_time();
  const double used = std::chrono::duration<double>(cpu - last_cpu_).count();
  last_cpu_ = cpu;
  if (process_.is_stopped())
    stopped_ += passed;
  else
    idle_ += process_.is_waiting() ? passed : std::clamp(used, 0.0, passed);
  if (idle_ > limit_) return Answer::Hangs;
  return stopped_ > limit_ * kLongerIfStopped ? Answer::Stopped : Answer::Wait;
}

}  // namespace plait
