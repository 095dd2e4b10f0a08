#include "explore/parts.h"

#include "explore/part_bytes.h"

namespace plait {
namespace {

constexpr u64 kSeeds = 8192;  // of a range

/// Parts that come back as parts: the newest go first, so that there are never many.
class SubtreePlan : public PartPlan {
 public:
  SubtreePlan() : parts_{""} {}
  std::optional<std::string> take() override {
    if (parts_.empty()) return std::nullopt;
    std::string part = std::move(parts_.back());
    parts_.pop_back();
    return part;
  }
  void done(const std::string& outcome) override {
    for (PartReader reader(outcome); !reader.at_end();) parts_.push_back(reader.block());
  }

 private:
  std::vector<std::string> parts_;
};

/// Ranges of seeds. Before them, a part that finds out what the ranges need (`measures`).
class SeedPlan : public PartPlan {
 public:
  SeedPlan(u64 runs, u64 begin) : next_(begin), runs_(runs), measuring_(begin > 0) {}
  std::optional<std::string> take() override {
    if (measuring_) return std::exchange(asked_, true) ? std::nullopt : std::optional<std::string>("");
    if (!left_.empty()) {
      const SeedRange range = left_.back();
      left_.pop_back();
      return bytes_of(range);
    }
    if (next_ >= runs_) return std::nullopt;
    const u64 begin = next_;
    next_ += std::min(kSeeds, runs_ - next_);
    return bytes_of({begin, next_, length_});
  }
  void done(const std::string& outcome) override {
    PartReader reader(outcome);
    const auto range = reader.value<SeedRange>();
    if (measuring_) {
      measuring_ = false;
      length_ = range.length;
    } else if (range.begin < range.end) {
      left_.push_back(range);
    }
  }
  Attempt finish() override { return Attempt::Stopped; }

 private:
  static std::string bytes_of(const SeedRange& range) {
    PartWriter writer;
    writer.value(range);
    return writer.take();
  }
  u64 next_;
  const u64 runs_;
  bool measuring_, asked_ = false;
  u32 length_ = 0;
  std::vector<SeedRange> left_;
};

}  // namespace

std::unique_ptr<PartPlan> plan_exhaustive(Exploration&) { return std::make_unique<SubtreePlan>(); }
std::unique_ptr<PartPlan> plan_random(Exploration& exploration) {
  return std::make_unique<SeedPlan>(exploration.options.random_runs, 0);
}
std::unique_ptr<PartPlan> plan_pct(Exploration& exploration) {
  return std::make_unique<SeedPlan>(exploration.options.random_runs, kMeasuringSeeds);
}

PartClock::PartClock(const PartBudget& budget)
    : end_(std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<i64>(budget.seconds * 1e6))) {}

bool PartClock::over() const { return std::chrono::steady_clock::now() >= end_; }

}  // namespace plait
