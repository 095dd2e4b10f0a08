// An exploration cut into parts, for explorers whose work can be: subtrees, ranges of seeds. A part is a value (a
// string of bytes), so somebody else can explore it, on another machine. Nobody explores it for long: what is left of
// it comes back as parts.
//
//   std::unique_ptr<PartPlan> plan = info.plan(exploration);
//   while (not all is done) { explore_part(exploration, *plan->take(), budget, outcome);  plan->done(outcome); }
//   plan->finish()
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
  /// All parts are done: what is to be decided over all of them. How the attempt ends.
  virtual Attempt finish() { return Attempt::Complete; }
  /// A limit was reached before.
  virtual void give_up() {}
};

/// What those who explore parts of one attempt at the same time tell each other. Who hears nothing repeats what others
/// do, and comes to the same answer.
class PartNews {
 public:
  virtual ~PartNews() = default;
  /// Tells all others; what they have told since the last call.
  virtual std::string exchange(std::string_view told) = 0;
  /// All that was heard in earlier parts of the same attempt.
  virtual std::string heard() = 0;
};

/// Explores a part within the budget, with the first runner of the exploration's crew. The outcome is for the plan.
using ExplorePart = Attempt (*)(Exploration&, const std::string& part, const PartBudget& budget, std::string& outcome);
/// The exploration outlives the plan.
using MakePlan = std::unique_ptr<PartPlan> (*)(Exploration&);

std::unique_ptr<PartPlan> plan_exhaustive(Exploration&);
Attempt explore_exhaustive_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_random(Exploration&);
Attempt explore_random_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_pct(Exploration&);
Attempt explore_pct_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_icb(Exploration&);
Attempt explore_icb_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_mcr(Exploration&);
Attempt explore_mcr_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);
std::unique_ptr<PartPlan> plan_dpor(Exploration&);
Attempt explore_dpor_part(Exploration&, const std::string&, const PartBudget&, std::string& outcome);

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
