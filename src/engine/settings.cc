#include "engine/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/memory_use.h"
#include "depend/relation.h"
#include "report/names.h"

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

SolverUse solver_use(const Counters& c, const std::string& backend) {
  const double seconds = static_cast<double>(c.solver_nanoseconds) * 1e-9;
  const double slowest = static_cast<double>(c.slowest_query_nanoseconds) * 1e-9;
  return {backend, c.queries, c.sat, c.unsat, c.unknown, seconds, slowest, c.reads, c.constraints};
}

ExploreOptions explore_options(const CheckOptions& options, const std::string& program) {
  ExploreOptions result;
  result.memory = options.rules();
  result.jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  // A failure that is ignored is no reason to look no further.
  result.keep_going = options.keep_going || options.checked() != KindSet::standard();
  result.sleep_sets = options.sleep_sets;
  result.merge = options.merge == "on";
  result.self_check = options.self_check;
  result.classes = options.classes;
  result.paths = options.paths;
  result.unsat_cores = options.strategy == "s2";
  result.races = options.checked().contains(FailureKind::Race);
  result.exits = options.checked().contains(FailureKind::ExitWithThreads);
  result.seed = options.seed;
  result.preemption_bound = options.preemption_bound;
  result.pct_depth = options.pct_depth;
  result.z3 = options.solver == "z3";
  result.solver_seconds = options.solver_timeout;
  const std::string dependence = options.dependence.empty() ? kFastestDependence : options.dependence;
  if (options.explore == "mcr" && dependence != "none" && !program.empty())
    if (std::shared_ptr<const depend::Graph> graph = depend::Graph::of_program(program))
      result.dependence = std::make_shared<depend::Relation>(std::move(graph));
  result.keeps_before = dependence == "static+";
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

void require_same_check(const Resume& resume, const CheckOptions& options, const std::string& identity) {
  if (resume.visibility.memory_model != options.model())
    throw Error(kExitUsage, fmt::format("cannot resume from '{}': that check was under --memory-model {}",
                                        options.resume, model_name(resume.visibility.memory_model)));
  if (resume.identity != identity)
    throw Error(kExitUsage, fmt::format("cannot resume from '{}': the program has changed since ('{}')", options.resume,
                                        resume.program));
}

std::vector<std::string> input_names(u32 kinds) {
  constexpr std::pair<u32, const char*> kNames[] = {
      {input_kind::kNondet, "__VERIFIER_nondet"},       {input_kind::kArguments, "arguments"},
      {input_kind::kFiles, "standard input and files"}, {input_kind::kEnvironment, "environment"},
      {input_kind::kRandom, "random numbers"},          {input_kind::kClock, "clocks"}};
  std::vector<std::string> names;
  for (const auto& [kind, name] : kNames)
    if (kinds & kind) names.emplace_back(name);
  return names;
}

}  // namespace plait
