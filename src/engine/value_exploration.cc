#include "engine/value_exploration.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <set>
#include <thread>

#include "base/error.h"
#include "exogenous/machine_runner.h"

namespace plait {
namespace {

/// A message of the explorers, which know places, addresses and threads, for people who know objects and actors.
std::string in_its_words(const std::string& text, exogenous::MachineRunners& runners) {
  static const std::regex kPlace("at \x01[0-9a-f]+\x02,? ?");  // there are none
  static const std::regex kName("\x03([0-9a-f]+)\x02|\\bT([0-9]+)\\b");
  const std::string plain = std::regex_replace(text, kPlace, "");
  std::string result;
  auto rest = plain.begin();
  for (std::sregex_iterator at(plain.begin(), plain.end(), kName), none; at != none; ++at) {
    result.append(rest, (*at)[0].first);
    result += (*at)[1].matched ? runners.object_name(std::stoull(at->str(1), nullptr, 16))
                               : "'" + runners.actor_name(static_cast<u32>(std::stoul(at->str(2)))) + "'";
    rest = (*at)[0].second;
  }
  return result.append(rest, plain.end()) + " ('operations' in the hello, and values in events, must say all)";
}

/// Keeps the schedules of failing runs, one for each kind of end.
class FailingRuns : public RunSink {
 public:
  FailingRuns(const ValueExploration& exploration, exogenous::MachineRunners& runners)
      : exploration_(exploration), runners_(runners) {}

  void finished(const FinishedRun& run) override {
    const Reply& reply = *run.view.reply;
    std::lock_guard lock(mutex_);
    if (reply.status == RunStatus::Diverged)
      return add_obstacle(fmt::format("divergence: a predicted run is not possible: {}", reply.failure.message));
    if (reply.status != RunStatus::Failed) return;
    const bool counts = exploration_.options.checked().contains(reply.failure.kind);
    if (!found_.insert({reply.failure.kind, reply.failure.thread, reply.failure.message}).second) return;
    seeds.push_back(runners_.seed_of(run.schedule().choices));
    if (counts && !exploration_.options.keep_going) exploration_.control.stop(StopReason::Bug);
  }
  bool wants_complete_runs() const override { return false; }
  void not_deterministic(const std::string& message) override {
    std::lock_guard lock(mutex_);
    add_obstacle(message);
  }
  void falls_back(const Fallback& fallback) override {
    not_deterministic(fmt::format("values cannot be predicted: {}", in_its_words(fallback.why, runners_)));
  }

  std::vector<std::vector<exogenous::Symbol>> seeds;

 private:
  void add_obstacle(const std::string& line) {
    std::vector<std::string>& all = exploration_.obstacles;
    if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
  }

  const ValueExploration& exploration_;
  exogenous::MachineRunners& runners_;
  std::mutex mutex_;
  std::set<std::tuple<FailureKind, ThreadId, std::string>> found_;
};

}  // namespace

bool explore_values(const ValueExploration& values, exogenous::Runtime& first) {
  const exogenous::Operations operations(first.hello(), values.catalogue);
  exogenous::MachineRunners runners(values.runtime, values.catalogue, operations, values.control.cancel_flag());
  // Who takes part, first: a run with somebody unknown in it shows nothing, and mcr begins with the first one.
  const exogenous::Execution any = first.run({});
  ++values.control.counters.executions;
  for (const std::vector<u32>& events : {any.events, any.pending})
    for (const u32 event : events) runners.thread_of(values.catalogue[event].actor);
  FailingRuns failing(values, runners);
  ExploreOptions options;
  options.jobs = values.options.jobs ? values.options.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.keep_going = values.options.keep_going;
  options.merge = false;  // actors have no fingerprints
  options.classes = values.options.classes;
  options.z3 = values.options.solver == "z3";
  options.solver_seconds = values.options.solver_timeout;
  Exploration exploration{runners, options, values.control, failing};
  const bool complete = explore(*explorer_named(values.options.explore).make(), exploration);
  for (const std::vector<exogenous::Symbol>& seed : failing.seeds) values.sink.finished(first.run(seed));
  return complete;
}

}  // namespace plait
