// An exploration cut into parts, for explorers whose work can be: subtrees, ranges of seeds. A part is a value (a
// string of bytes), so somebody else can explore it, on another machine. Nobody explores it for long: what is left of
// it comes back as parts.
//
//   std::unique_ptr<PartPlan> plan = info.plan(options);
//   while (not all is done) { explore_part(exploration, *plan->take(), budget, outcome);  plan->done(outcome); }
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "explore/explorer.h"

namespace plait {

struct PartBudget {
  u64 runs = ~u64{0};
  double seconds = 0.5;
};

/// Hands out the parts of one attempt.
class PartPlan {
 public:
  virtual ~PartPlan() = default;
  /// Nothing: there is none now. When no part is being explored either, all is done.
  virtual std::optional<std::string> take() = 0;
  /// What came of a part. Throws std::runtime_error if it is damaged.
  virtual void done(const std::string& outcome) = 0;
  /// Of all runs: is the exploration complete when nothing is left? Told to the sink, if it is not.
  virtual bool complete(RunSink& /*sink*/) { return true; }
};

/// Explores a part within the budget, with the first runner of the exploration's crew. The outcome is for the plan.
using ExplorePart = Attempt (*)(Exploration&, const std::string& part, const PartBudget& budget, std::string& outcome);
using MakePlan = std::unique_ptr<PartPlan> (*)(const ExploreOptions&);

std::unique_ptr<PartPlan> plan_exhaustive(const ExploreOptions&);
Attempt explore_exhaustive_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_random(const ExploreOptions&);
Attempt explore_random_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_pct(const ExploreOptions&);
Attempt explore_pct_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);

/// A part of random and pct; its outcome is what is left of it.
struct SeedRange {
  u64 begin, end;
  u32 length;  // pct: of the runs that were measured
  u32 pad = 0;
};
inline constexpr u64 kMeasuringSeeds = 25;  // pct: the first runs

class PartClock {
 public:
  explicit PartClock(const PartBudget& budget);
  bool over() const;

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace plait
