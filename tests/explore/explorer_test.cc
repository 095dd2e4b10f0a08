// Explorers on the mock program: numbers of interleavings that can be counted by hand.
#include "explore/explorer.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "host/native_runner.h"

namespace plait {
namespace {

class Collector : public RunSink {
 public:
  explicit Collector(bool all) : all_(all) {}
  void finished(const FinishedRun& run) override {
    std::lock_guard lock(mutex_);
    std::string key;
    for (const Choice& c : run.schedule().choices)
      key += std::to_string(c.thread) + (c.kind ? "/" + std::to_string(c.arg) : "") + " ";
    EXPECT_TRUE(run.view.reply->sharing_grew || interleavings.insert(key).second) << "twice: " << key;
    ++statuses[run.view.reply->status];
  }
  bool wants_complete_runs() const override { return all_; }
  void not_deterministic(const std::string& text) override {
    std::lock_guard lock(mutex_);
    message = text;
  }
  std::set<std::string> interleavings;
  std::map<RunStatus, int> statuses;
  std::string message;

 private:
  bool all_;
  std::mutex mutex_;
};

struct Result {
  bool complete;
  u64 interleavings, executions, blocked, restarts, limited;
  StopReason reason;
  std::string message;
  std::set<std::string> seen;
  std::map<RunStatus, int> statuses;
};

Result explore_with(std::unique_ptr<Explorer> explorer, bool all_runs, const std::vector<std::string>& threads,
                    const ExploreOptions& options, const Limits& limits = {}, u32 max_events = 1000) {
  Program program{MOCK_PROGRAM, threads, ""};
  Control control(limits);
  Collector sink(all_runs);
  WorkerOptions worker_options;
  worker_options.max_events = max_events;
  NativeRunners runners(program, std::make_shared<SessionMemory>(SessionOptions{}), worker_options);
  Exploration exploration{runners, options, control, sink};
  bool complete = plait::explore(*explorer, exploration);
  const Counters& c = control.counters;
  return {complete,  c.interleavings,  c.executions, c.blocked,          c.restarts,
          c.limited, control.reason(), sink.message, sink.interleavings, sink.statuses};
}

Result explore(const std::vector<std::string>& threads, ExploreOptions options = {}, Limits limits = {},
               bool random = false, u32 max_events = 1000) {
  return explore_with(random ? make_random() : make_exhaustive(), !random, threads, options, limits, max_events);
}

TEST(Exhaustive, CountsInterleavings) {
  EXPECT_EQ(explore({"s"}).interleavings, 1u);
  EXPECT_EQ(explore({"s", "s"}).interleavings, 2u);
  EXPECT_EQ(explore({"sss", "sss"}).interleavings, 20u);
  EXPECT_EQ(explore({"ss", "ss", "ss"}).interleavings, 90u);
  Result r = explore({"ssss", "ssss", "ss"});
  EXPECT_EQ(r.interleavings, 3150u);
  EXPECT_EQ(r.executions, 3150u);
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.seen.size(), 3150u);
}

TEST(Exhaustive, SameAnswerForAnyNumberOfWorkers) {
  for (u32 jobs : {1u, 2u, 3u}) {
    ExploreOptions options;
    options.jobs = jobs;
    options.first_helpers_after = 1;
    Result r = explore({"ssss", "ssss", "ss"}, options);
    EXPECT_EQ(r.interleavings, 3150u) << jobs;
    EXPECT_EQ(r.seen.size(), 3150u) << jobs;
    EXPECT_TRUE(r.complete);
  }
}

TEST(Exhaustive, LocksRestrict) {
  // Critical sections do not interleave: two orders, and the waiting thread has nothing else to do.
  EXPECT_EQ(explore({"LssU", "LsU"}).interleavings, 2u);
}

TEST(Exhaustive, FindsDeadlocks) {
  Result r = explore({"L", "L"});
  EXPECT_EQ(r.interleavings, 2u);
  EXPECT_EQ(r.statuses[RunStatus::Failed], 2);
}

TEST(Exhaustive, EveryWaiterMayBeWoken) {
  // Both waiters, then two notifications: who is woken first is a choice, and so is when each goes on.
  Result r = explore({"W", "W", "NN"});
  EXPECT_TRUE(r.complete);
  bool first = false, second = false;
  for (const std::string& key : r.seen) {
    first |= key.find("1 2 3/1 ") == 0;
    second |= key.find("1 2 3/2 ") == 0;
  }
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

TEST(Exhaustive, NotificationsWithoutChoiceAreCountedOnce) {
  // 1 waits, 2 notifies: notify first (then 1 waits for ever) or wait, notify, wake.
  EXPECT_EQ(explore({"W", "N"}).interleavings, 2u);
}

TEST(Exhaustive, SleepSetsSkipIndependentOrders) {
  ExploreOptions options;
  options.sleep_sets = true;
  EXPECT_EQ(explore({"s", "y"}, options).interleavings, 1u);
  EXPECT_EQ(explore({"r", "r", "r"}, options).interleavings, 1u);
  EXPECT_EQ(explore({"s", "s"}, options).interleavings, 2u);
  // Two dependent pairs among independent ones.
  EXPECT_EQ(explore({"ssy", "s"}, options).interleavings, 3u);
  EXPECT_LT(explore({"sry", "srr", "yr"}, options).interleavings, explore({"sry", "srr", "yr"}).interleavings);
}

TEST(Exhaustive, BeginsAgainWhenSharingGrows) {
  Result r = explore({"sg", "gs"});
  EXPECT_EQ(r.restarts, 1u);
  EXPECT_EQ(r.interleavings, 6u);
  EXPECT_EQ(r.executions, 7u);
  EXPECT_TRUE(r.complete);
}

TEST(Exhaustive, StopsAtTheLimitOfExecutions) {
  for (u32 jobs : {1u, 2u}) {
    ExploreOptions options;
    options.jobs = jobs;
    options.first_helpers_after = 1;
    Result r = explore({"ssss", "ssss", "ss"}, options, {std::nullopt, 777});
    EXPECT_EQ(r.executions, 777u);
    EXPECT_FALSE(r.complete);
    EXPECT_EQ(r.reason, StopReason::MaxExecutions);
  }
}

TEST(Exhaustive, ALimitThatIsJustEnoughIsNoLimit) {
  Result r = explore({"sss", "sss"}, {}, {std::nullopt, 20});
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.reason, StopReason::None);
}

TEST(Exhaustive, CountsRunsThatReachTheEventLimit) {
  Result r = explore({"sss", "s"}, {}, {}, false, 3);
  EXPECT_GT(r.limited, 0u);
}

TEST(Exhaustive, SurvivesCrashes) {
  Result r = explore({"sX", "s"});
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.interleavings, 3u);
}

TEST(SelfCheck, AcceptsADeterministicProgram) {
  ExploreOptions options;
  options.self_check = true;
  Result r = explore({"sss", "sLs", "WsU", "N"}, options);
  EXPECT_EQ(r.message, "");
  EXPECT_TRUE(r.complete);
  options.sleep_sets = true;
  r = explore({"sry", "srr", "yr"}, options);
  EXPECT_EQ(r.message, "");
}

TEST(SelfCheck, NamesTheFirstDifference) {
  ExploreOptions options;
  options.self_check = true;
  Result r = explore({"sn", "s"}, options);
  EXPECT_NE(r.message.find("event "), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("expected"), std::string::npos) << r.message;
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.reason, StopReason::NotCheckable);
}

TEST(Random, RunsAsOftenAsAsked) {
  ExploreOptions options;
  options.random_runs = 500;
  for (u32 jobs : {1u, 2u}) {
    options.jobs = jobs;
    Result r = explore({"ss", "ss"}, options, {}, true);
    EXPECT_EQ(r.executions, 500u);
    EXPECT_FALSE(r.complete);
  }
}

ExploreOptions shared_by(u32 jobs) {
  ExploreOptions options;
  options.jobs = jobs;
  options.first_helpers_after = 1;
  return options;
}

TEST(ContextBounding, SameAnswerForAnyNumberOfWorkers) {
  for (u32 jobs : {1u, 2u, 3u}) {
    Result r = explore_with(make_icb(), true, {"ssss", "ssss", "ss"}, shared_by(jobs));
    EXPECT_EQ(r.interleavings, 3150u) << jobs;
    EXPECT_EQ(r.seen.size(), 3150u) << jobs;
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.message, "");
  }
}

TEST(ContextBounding, TheBoundHoldsForAnyNumberOfWorkers) {
  // "ssss" and "ssss" with at most one preemption: one thread after the other, or the first one is interrupted at one
  // of three places by the whole second one. (Interrupted by a part of it: the way back is a preemption, too.)
  for (u32 jobs : {1u, 2u, 3u}) {
    ExploreOptions options = shared_by(jobs);
    options.preemption_bound = 1;
    Result r = explore_with(make_icb(), true, {"ssss", "ssss"}, options);
    EXPECT_EQ(r.seen.size(), 8u) << jobs;
    EXPECT_NE(r.message.find("preemption-bound: 1"), std::string::npos) << r.message;
  }
}

TEST(ContextBounding, BeginsAgainWhenSharingGrows) {
  for (u32 jobs : {1u, 2u}) {
    Result r = explore_with(make_icb(), true, {"sg", "gs"}, shared_by(jobs));
    EXPECT_EQ(r.restarts, 1u);
    EXPECT_EQ(r.interleavings, 6u);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.message, "");
  }
}

TEST(ContextBounding, StopsAtTheLimitOfExecutions) {
  for (u32 jobs : {1u, 3u}) {
    Result r = explore_with(make_icb(), true, {"ssss", "ssss", "ss"}, shared_by(jobs), {std::nullopt, 777});
    EXPECT_EQ(r.executions, 777u) << jobs;
    EXPECT_FALSE(r.complete);
  }
}

TEST(Pct, RunsAsOftenAsAsked) {
  for (u64 runs : {1u, 20u, 1000u}) {
    for (u32 jobs : {1u, 3u}) {
      ExploreOptions options = shared_by(jobs);
      options.random_runs = runs;
      Result r = explore_with(make_pct(), false, {"ss", "ss"}, options);
      EXPECT_EQ(r.executions, runs) << jobs;
      EXPECT_FALSE(r.complete);
    }
  }
}

TEST(Learn, RunsUntilNothingNew) {
  Program program{MOCK_PROGRAM, {"sg", "gs"}, ""};
  Control control({});
  Collector sink(false);
  NativeRunners runners(program, std::make_shared<SessionMemory>(SessionOptions{}), {});
  Exploration exploration{runners, {}, control, sink};
  learn_sharing(exploration);
  EXPECT_EQ(exploration.visibility.shared.size(), 1u);
  EXPECT_EQ(control.counters.executions, 17u);
}

}  // namespace
}  // namespace plait
