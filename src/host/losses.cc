#include "host/losses.h"

#include <fmt/core.h>

#include <algorithm>

namespace plait {
namespace {

constexpr long kSurely = 2;         // times at the same step: it is the program
constexpr long kSurelyOutside = 5;  // it is the surroundings, and they do not get better
constexpr size_t kMost = 50;        // at whatever steps

}  // namespace

bool Loss::like(const Loss& other) const {
  return how == other.how && end.signal == other.end.signal && end.exit_code == other.end.exit_code &&
         events == other.events;
}

std::optional<Blame> Losses::add(u32 run, const Loss& loss) {
  if (run != run_) losses_.clear();
  run_ = run;
  losses_.push_back(loss);
  const long alike = std::count_if(losses_.begin(), losses_.end(), [&](const Loss& l) { return l.like(loss); });
  const bool sure = loss.how != Loss::How::Stopped && alike >= (loss.from_outside() ? kSurelyOutside : kSurely);
  if (!once_ && !sure && losses_.size() < kMost) return std::nullopt;
  return blame(loss);
}

Blame Losses::blame(const Loss& loss) const {
  const long alike = std::count_if(losses_.begin(), losses_.end(), [&](const Loss& l) { return l.like(loss); });
  if (alike < kSurely && !once_)
    return {FailureKind::OutOfResources,
            fmt::format("the program's process was lost {} times, each time at another step (at last, it {})",
                        losses_.size(), loss.how == Loss::How::Ended ? loss.end.text() : "did not go on")};
  switch (loss.how) {
    case Loss::How::Stopped:
      return {FailureKind::OutOfResources,
              fmt::format("the program's process was stopped by a signal for {} seconds (tried {} times)",
                          hang_seconds_, alike)};
    case Loss::How::Hung:
      return {FailureKind::InfiniteLoop,
              fmt::format("no progress for {} seconds: the program loops or waits inside a library", hang_seconds_)};
    case Loss::How::Ended: break;
  }
  if (loss.from_outside())
    return {FailureKind::OutOfResources,
            fmt::format("the program's process {} (tried {} times): does the machine have enough memory?",
                        loss.end.text(), alike)};
  return {FailureKind::Crash, fmt::format("the program's process {}", loss.end.text())};
}

u32 Losses::pause_milliseconds() const {
  if (losses_.empty() || !losses_.back().from_outside()) return 0;
  return static_cast<u32>(std::min<size_t>(200, losses_.size() * losses_.size() * 5));
}

}  // namespace plait
