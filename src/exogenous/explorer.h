// Exploration of what a runtime of others can do (paper 001): which seed is run next. Sees runs as executions, and what
// they mean only through relations.
#pragma once
#include <functional>
#include <mutex>

#include "exogenous/order.h"
#include "exogenous/runtime.h"
#include "explore/control.h"

namespace plait::exogenous {

/// Sees every run; called by several threads at once.
class ExecutionSink {
 public:
  virtual ~ExecutionSink() = default;
  virtual void finished(const Execution&) = 0;
};

struct SearchOptions {
  RuntimeOptions runtime;
  u32 jobs = 1;
  bool z3 = false;              // conflicts: Z3 says which orders can be reversed
  bool shortest_seeds = false;  // conflicts: as in the paper; not complete
  std::optional<u32> window;    // runs under way at once; none: as many as pay
};

struct Search {
  const SearchOptions& options;
  Catalogue& catalogue;
  const Relations& relations;  // to be copied by each thread
  Control& control;
  ExecutionSink& sink;

  /// Counts it, shows it to the sink. False: it is one that could not be performed, as may be.
  bool accept(const Execution& run, bool may_fail, const std::string& reason);
};

/// All of these: true when nothing is left to explore. Throw Error.
///
/// Algorithms 1 and 2 of the paper: see conflicts.cc.
bool explore_conflicts(Search&, Runtime& first);
/// Optimal dynamic partial order reduction: see dpor.cc.
bool explore_dpor(Search&, Runtime& runtime);

}  // namespace plait::exogenous
