#include "engine/settings.h"

#include <algorithm>
#include <thread>

#include "base/memory_use.h"

namespace plait {

SessionOptions session_options(const CheckOptions& options) {
  SessionOptions result{};
  result.memory_model = options.model();
  result.spurious_wakeups = options.spurious_wakeups;
  result.outputs_visible = options.outcomes;
  result.loop_seconds = options.loop_seconds;
  result.run_megabytes = run_megabytes(options.run_memory);
  result.exit_with_threads = options.checked().contains(FailureKind::ExitWithThreads);
  result.ignore_uninitialised = !options.checked().contains(FailureKind::UninitialisedRead);
  return result;
}

ExploreOptions explore_options(const CheckOptions& options) {
  ExploreOptions result;
  result.memory = options.rules();
  result.jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  // A failure that is ignored is no reason to look no further.
  result.keep_going = options.keep_going || options.checked() != KindSet::standard();
  result.sleep_sets = options.sleep_sets;
  result.merge = options.merge == "on";
  result.self_check = options.self_check;
  result.classes = options.classes;
  result.races = options.checked().contains(FailureKind::Race);
  result.exits = options.checked().contains(FailureKind::ExitWithThreads);
  result.seed = options.seed;
  result.preemption_bound = options.preemption_bound;
  result.pct_depth = options.pct_depth;
  result.z3 = options.solver == "z3";
  result.solver_seconds = options.solver_timeout;
  result.dump_queries = options.dump_queries;
  if (options.max_executions)
    result.random_runs = *options.max_executions;
  else if (options.timeout)
    result.random_runs = ~u64{0};
  return result;
}

WorkerOptions worker_options(const CheckOptions& options) {
  WorkerOptions result;
  result.max_events = options.max_events;
  result.hang_seconds = options.loop_seconds * 3 + 5;
  return result;
}

}  // namespace plait
