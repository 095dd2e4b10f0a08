// One explorer on scripts: what it found.
#pragma once
#include <mutex>
#include <set>

#include "explore/registry.h"
#include "scripted_runner.h"

namespace plait {

class Collector : public RunSink {
 public:
  void finished(const FinishedRun& run) override {
    std::lock_guard lock(mutex_);
    for (const Failure& failure : run.view.failures())
      failures.insert({failure.kind, failure.kind == FailureKind::Deadlock ? 0 : failure.site});
    if (run.view.reply->status == RunStatus::Diverged) problem = "diverged";
  }
  bool wants_complete_runs() const override { return false; }
  void not_deterministic(const std::string& message) override { problem = message; }
  void not_complete(const std::string& reason) override { problem = reason; }
  void falls_back(const Fallback& fallback) override { problem = fallback.why; }
  std::set<std::pair<FailureKind, u32>> failures;
  std::string problem;

 private:
  std::mutex mutex_;
};

struct Answer {
  bool complete;
  u64 runs, interleavings, classes;
  std::set<std::pair<FailureKind, u32>> failures;
  std::string problem;
};

inline Answer ask(const char* explorer, const std::vector<std::string>& threads, ExploreOptions options = {}) {
  ScriptedRunners runners(threads, options.memory);
  Control control({});
  Collector sink;
  options.merge = false;  // scripts have no fingerprints
  Exploration exploration{runners, options, control, sink};
  const bool complete = explore(*explorer_named(explorer).make(), exploration);
  const Counters& c = control.counters;
  return {complete, c.executions, c.interleavings, c.classes, sink.failures, sink.problem};
}

}  // namespace plait
