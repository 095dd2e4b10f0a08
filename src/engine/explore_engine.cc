#include "engine/explore_engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "base/memory_use.h"
#include "engine/monitor.h"
#include "engine/recording.h"
#include "engine/runtime_bug.h"
#include "engine/value_exploration.h"
#include "exogenous/findings.h"
#include "exogenous/machine_runner.h"
#include "report/files.h"

namespace plait {
namespace {

using exogenous::Cancelled;
using exogenous::Catalogue;
using exogenous::EndStatus;
using exogenous::Execution;
using exogenous::FailureKey;
using exogenous::Kept;
using exogenous::Relations;
using exogenous::Runtime;
using exogenous::Search;
using exogenous::SearchOptions;
using exogenous::Symbol;

exogenous::RuntimeOptions runtime_options(const CheckOptions& options, const RuntimeTarget& target) {
  return {target.command, target.timeout, options.max_events};
}

/// The runtime's own, unless a file says otherwise.
Relations relations_of(const Runtime& runtime, Catalogue& catalogue, const CheckOptions& options,
                       const RuntimeTarget& target) {
  Relations relations(catalogue);
  try {
    relations.take(runtime.hello().relations);
  } catch (const std::invalid_argument& error) {
    throw Error(kExitUsage, fmt::format("the runtime '{}': its hello: {}", target.command[0], error.what()));
  }
  const std::string file = target.relations.empty() ? exogenous::relations_beside(target.command) : target.relations;
  if (!file.empty()) {
    relations.take_file(file);
    if (!options.quiet) fmt::print(stderr, "plait: relations from '{}'\n", file);
  }
  if (options.explore == "exhaustive") relations.take({{"interferes", "always"}});
  return relations;
}

class ExploreEngine {
 public:
  ExploreEngine(const CheckOptions& options, const RuntimeTarget& target)
      : options_(options),
        target_(target),
        control_({options.timeout, options.max_executions}),
        findings_(control_, catalogue_, options.keep_going, options.outcomes,
                  [&options](const std::string& kind) { return options.checked().contains(kind_of(kind)); }) {}

  CheckResult run() {
    const bool complete = explore_as_far_as_possible();
    CheckResult result;
    for (const std::string& word : target_.command) result.program += (result.program.empty() ? "" : " ") + word;
    result.explore = options_.explore;
    result.of_runtime = true;
    const Counters& c = control_.counters;
    result.executions = c.executions;
    result.blocked_executions = c.blocked;
    if (predicts()) {
      result.histories = c.histories;
      result.states = c.states;
      if (options_.classes && complete) result.classes = c.classes;
    } else {
      result.interleavings = c.interleavings;
    }
    result.events = c.events;
    result.solver = {options_.solver,
                     c.queries,
                     c.sat,
                     c.unsat,
                     c.unknown,
                     static_cast<double>(c.solver_nanoseconds) / 1e9,
                     static_cast<double>(c.slowest_query_nanoseconds) / 1e9,
                     c.reads,
                     c.constraints};
    result.checked = options_.checked();
    result.checked.remove(KindSet::parse("race"));  // runtimes tell of failures themselves
    report_bugs(result);
    for (const auto& [key, kept] : findings_.ignored)
      result.notes.push_back({kind_of(key.kind), key.message, place_of(key.file, key.line)});
    if (options_.outcomes) report_outcomes(result);
    remove_stale_results(options_.output_dir, result.bugs.size(), result.outcomes.size(), 0);
    if (target_.shortest_seeds) obstacles_.emplace_back("shortest-seeds: runs may be missing");
    conclude(result, control_, options_, false, complete, obstacles_);
    return result;
  }

 private:
  bool predicts() const { return options_.explore == "mcr" || options_.explore == "cumulative"; }

  SearchOptions search_options() const {
    SearchOptions search;
    search.runtime = runtime_options(options_, target_);
    search.jobs = options_.jobs ? options_.jobs : std::max(1u, std::thread::hardware_concurrency());
    search.z3 = options_.solver == "z3";
    search.shortest_seeds = target_.shortest_seeds;
    return search;
  }

  bool explore() {
    const SearchOptions options = search_options();
    Monitor monitor(control_, options_.quiet);
    Runtime runtime(options.runtime, catalogue_, control_.cancel_flag());
    const Relations relations = relations_of(runtime, catalogue_, options_, target_);
    if (!predicts() && !runtime.hello().operations.empty())
      exogenous::Operations(runtime.hello(), catalogue_);  // checks
    if (predicts())
      return explore_values({options_, options.runtime, catalogue_, control_, findings_, obstacles_}, runtime);
    Search search{options, catalogue_, relations, control_, findings_};
    return options_.explore == "conflicts" ? explore_conflicts(search, runtime) : explore_dpor(search, runtime);
  }

  /// What has been found is told, also when the exploration ends with an error.
  bool explore_as_far_as_possible() {
    try {
      return explore();
    } catch (const Error& error) {
      if (control_.counters.executions == 0) throw;
      obstacles_.push_back(fmt::format("error: {}", error.what()));
    } catch (const Cancelled&) {
    } catch (const std::bad_alloc&) {
      obstacles_.emplace_back("memory: the engine got none any more");
    }
    return false;
  }

  /// A fresh process follows the events; none if it does not show the failure any more.
  std::optional<Execution> confirmed(const FailureKey& key, const Kept& kept) {
    Runtime runtime(runtime_options(options_, target_), catalogue_, control_.abandon_flag());
    Execution run = runtime.run(kept.events);
    const auto shows_it = [&](const Execution& one) { return one.failed() && failure_key(one, catalogue_) == key; };
    if (!shows_it(run)) return std::nullopt;
    if (!options_.minimise || control_.reason() == StopReason::Interrupted) return run;
    try {
      const Execution shorter = exogenous::minimise(runtime, catalogue_, run, key, control_.abandon_flag());
      if (shorter.events == run.events) return run;
      Runtime fresh(runtime_options(options_, target_), catalogue_, control_.abandon_flag());
      Execution again = fresh.run(ids_of(shorter));
      if (shows_it(again)) return again;
    } catch (const Error& error) {  // a runtime that is wrong about seeds that are not possible
      obstacles_.push_back(fmt::format("error: a bug is shown as it was found, not minimised: {}", error.what()));
    }
    return run;
  }

  std::vector<Symbol> ids_of(const Execution& run) const {
    std::vector<Symbol> ids;
    for (const u32 event : run.events) ids.push_back(catalogue_[event].id);
    return ids;
  }

  Bug bug_of(const Execution& run) const {
    return make_runtime_bug(run, catalogue_, {target_.command, {}, target_.timeout, target_.own}, options_.max_events);
  }

  void report_bugs(CheckResult& result) {
    for (const auto& [key, kept] : findings_.bugs) {
      try {
        const std::optional<Execution> run = confirmed(key, kept);
        if (!run) {
          obstacles_.push_back(
              fmt::format("divergence: a failure ({}: {}) did not happen again when its events were replayed in a "
                          "fresh process: the runtime does not repeat itself",
                          key.kind, key.message));
          continue;
        }
        Bug bug = bug_of(*run);
        const std::string file = recorder_.record(fmt::format("bug-{}.json", result.bugs.size() + 1), bug);
        result.bugs.push_back({std::move(bug), file});
      } catch (const Error& error) {
        obstacles_.push_back(fmt::format("error: a failure ({}: {}) was found, but could not be confirmed: {}",
                                         key.kind, key.message, error.what()));
      } catch (const Cancelled&) {
        obstacles_.push_back(fmt::format("timeout: a failure ({}: {}) was found, but there was no time to confirm it",
                                         key.kind, key.message));
      }
    }
  }

  void report_outcomes(CheckResult& result) {
    result.collected_outcomes = true;
    if (findings_.outcomes.empty()) return;
    try {
      Runtime runtime(runtime_options(options_, target_), catalogue_, control_.abandon_flag());
      for (const auto& [output, kept] : findings_.outcomes) {
        const Execution run = runtime.run(kept.events);
        if (run.result != output) {
          obstacles_.emplace_back("divergence: a result did not appear again when its events were replayed");
          continue;
        }
        const std::string name = fmt::format("outcome-{}.json", result.outcomes.size() + 1);
        result.outcomes.push_back({output, recorder_.record(name, bug_of(run))});
      }
    } catch (const Cancelled&) {
      obstacles_.emplace_back("timeout: not all results were recorded");
    } catch (const Error& error) {
      obstacles_.push_back(fmt::format("error: not all results were recorded: {}", error.what()));
    }
  }

  const CheckOptions& options_;
  const RuntimeTarget& target_;
  Catalogue catalogue_;
  Control control_;
  exogenous::Findings findings_;
  std::vector<std::string> obstacles_;
  Recorder recorder_{options_.output_dir};
};

}  // namespace

std::vector<std::pair<std::string, std::string>> runtime_explorers() {
  return {
      {"dpor", "one run of each set of equivalent ones"},
      {"conflicts", "likewise, offline: seeds from reversed conflicts, on all processes"},
      {"cumulative", "all values that actors can receive, with the fewest runs: for runtimes that declare operations"},
      {"mcr", "likewise, by maximal causality reduction"},
      {"exhaustive", "every order"}};
}

CheckResult run_explore_engine(const CheckOptions& options, const RuntimeTarget& target) {
  set_memory_limit(options.memory ? static_cast<u64>(*options.memory * (1 << 30)) : half_of_memory());
  return ExploreEngine(options, target).run();
}

Bug replay_with_runtime(const Bug& bug) {
  Catalogue catalogue;
  const std::atomic<bool> never{false};
  Runtime runtime({bug.runtime->command, bug.runtime->timeout, bug.options.max_events}, catalogue, never);
  std::vector<Symbol> seed;
  for (const BugEvent& event : bug.events)
    if (!(event.raw.flags & event_flag::kPending)) seed.push_back(catalogue.symbols.of(event.id));
  for (const std::string& actor : bug.runtime->actors) catalogue.actor(actor);
  const Execution run = runtime.run(seed);
  if (run.status == EndStatus::Diverged)
    throw Error(kExitInconclusive,
                fmt::format("diverged at event {}: '{}' is not possible there any more: the program has changed",
                            run.at + 1, bug.events[run.at].id));
  return make_runtime_bug(run, catalogue, *bug.runtime, bug.options.max_events);
}

}  // namespace plait
