// A solver that counts: queries, answers, time; and writes queries down if asked to.
#pragma once
#include "explore/explorer.h"
#include "solve/solver.h"

namespace plait {

/// `answer`: none if the query was given up. `begin`: when it was asked.
void count_query(Counters& counters, std::optional<bool> answer, std::chrono::steady_clock::time_point begin);

class CountedSolver : public solve::Solver {
 public:
  CountedSolver(const ExploreOptions& options, Counters& counters);
  solve::Answer solve(const solve::CausalModel& model, const solve::Query& query) override;

 private:
  void dump(const solve::CausalModel& model, const solve::Query& query, u64 number);

  std::unique_ptr<solve::Solver> solver_;
  Counters& counters_;
  const ExploreOptions& options_;
};

}  // namespace plait
