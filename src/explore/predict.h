// Data races that follow from one trace without having happened in it (000 §3.3): two accesses that an order of the
// trace's steps puts side by side.
#pragma once
#include <set>

#include "explore/seeds.h"

namespace plait {

struct PredictedRace {
  u32 site, other_site;
  Schedule steps;  // up to the race
};

class RacePredictor {
 public:
  /// Races between sites that were not reported before.
  std::vector<PredictedRace> predict(const solve::CausalModel& model, solve::Solver& solver);

 private:
  std::set<std::pair<u32, u32>> found_;  // sites
  std::set<std::pair<u64, u64>>
      looked_at_;  // pairs of local histories, by hash: what is missed here is decided over complete knowledge
};

}  // namespace plait
