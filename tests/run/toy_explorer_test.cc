// The smallest explorer, as CONTRIBUTING.md tells how to add one: it makes a single run, with the default schedule.
#include <gtest/gtest.h>

#include "explore/registry.h"
#include "explore/tally.h"
#include "scripted_runner.h"

namespace plait {
namespace {

class Once : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    if (exploration.control.take(1) == 0) return Attempt::Stopped;
    Tally tally(exploration.control.counters);
    Batch batch;
    Request request{};
    request.flags = request_flag::kAllEvents;
    batch.add(request, {});
    exploration.run(exploration.crew.first(), batch, [&](u32, const RunView& run) {
      tally.add(*run.reply);
      if (run.reply->status != RunStatus::Complete) exploration.sink.finished(FinishedRun{run, {}});
    });
    tally.flush();
    return Attempt::Stopped;  // one run is not everything
  }
};

class Failures : public RunSink {
 public:
  void finished(const FinishedRun& run) override { count += run.view.failures().size(); }
  bool wants_complete_runs() const override { return false; }
  void not_deterministic(const std::string& message) override { FAIL() << message; }
  size_t count = 0;
};

constexpr ExplorerInfo kRow = {.name = "once",
                               .summary = "a single run",
                               .make = [] { return std::unique_ptr<Explorer>(new Once); },
                               .samples = true};

TEST(ToyExplorer, MakesOneRunAndHandsOnItsFailure) {
  for (const auto& [script, failures] : {std::pair("x=1 x fail_if:1", 1u), std::pair("x=1 x fail_if:2", 0u)}) {
    ScriptedRunners runners({script});
    Control control({});
    Failures sink;
    Exploration exploration{runners, {}, control, sink};
    EXPECT_FALSE(explore(*kRow.make(), exploration));
    EXPECT_EQ(control.counters.executions, 1u);
    EXPECT_EQ(sink.count, failures);
  }
}

}  // namespace
}  // namespace plait
