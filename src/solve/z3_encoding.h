// The constraints of 000 §3.2 over one trace, for Z3: an integer for the place of each step in the order, a Boolean for
// whether it is performed at all (threads may stop anywhere, so a solution need not contain every step).
//
// Exact for program order, forks, joins, memory (also where accesses overlap partly), mutexes, reader-writer locks,
// semaphores, atomic sections. What other operations (conditions, barriers, futexes ...) return depends on more than
// pairs of steps; for these there are necessary conditions only, and the solver refines (z3_solver.cc).
#pragma once
#include <z3++.h>

#include "solve/solver.h"

namespace plait::solve {

class Z3Encoding {
 public:
  Z3Encoding(z3::context& context, z3::solver& solver, const CausalModel& model);

  z3::expr place(u32 step) const { return places_[static_cast<int>(step)]; }
  z3::expr performed(u32 step) const { return performed_[static_cast<int>(step)]; }

  /// What the query adds.
  z3::expr_vector assumptions(const Query& query);

  /// The steps' order in a solution.
  std::vector<u32> order(const z3::model& solution) const;

  /// Is the step's result decided by the constraints alone?
  bool is_exact(u32 step) const { return exact_[step]; }

 private:
  struct Section {
    u32 begin, end;  // end: kNone if it never ends
    ThreadId thread;
    bool exclusive;
  };
  void state_threads();
  void state_reads();
  void state_locks();
  void state_semaphores();
  void state_others();
  void find_sections();
  z3::expr value_constraint(u32 read, u128 value);
  z3::expr part_constraint(u32 read, u64 begin, u64 end, u128 value);
  z3::expr held_by_others(u32 step);
  z3::expr any(const std::vector<z3::expr>& options) const;

  /// All reads that what the step writes depends on keep their values.
  z3::expr brings_same(u32 step) const;
  void state_dependence();

  z3::context& context_;
  z3::solver& solver_;
  const CausalModel& model_;
  z3::expr_vector places_, performed_, changed_, keeps_;
  std::vector<int> keep_literal_;               // by step, -1: it keeps its value wherever it is performed
  std::vector<int> change_literal_;             // by step, -1: none
  std::vector<bool> exact_;                     // by step
  std::vector<std::vector<u32>> writes_;        // by cell
  std::vector<std::vector<u64>> cuts_;          // by cell: addresses at which some access begins or ends
  std::vector<std::vector<Section>> sections_;  // by object
  std::vector<std::pair<std::pair<u32, u128>, z3::expr>> value_literals_;
};

}  // namespace plait::solve
