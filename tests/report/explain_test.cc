// What is said below the table: races, circles, lost wake-ups, and what to do next.
#include "report/explain.h"

#include <gtest/gtest.h>

#include "report/lost_wakeup.h"
#include "report/next.h"
#include "report/race.h"
#include "report/story.h"
#include "sample.h"

namespace plait {
namespace {

std::string explained(const Bug& bug) {
  std::string text;
  for (const Explanation& line : explanation(bug)) text += std::string(2 * line.depth, ' ') + line.text + "\n";
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

BugEvent at(BugEvent event, u64 location) {
  event.raw.location = location;
  return event;
}

BugEvent pending(BugEvent event) {
  event.raw.flags = event_flag::kPending;
  return event;
}

/// T2 is about to read what T1 is about to write, with the locks that the events take.
Bug race(std::vector<BugEvent> before, Claim::Kind kind = Claim::Race) {
  Bug bug;
  bug.visibility = sample::three_threads();
  bug.events = std::move(before);
  bug.events.push_back(pending(at(sample::event(1, 7, Op::Store, 15, "x", "x = 1;", 0, 1), 0x1000)));
  bug.events.push_back(pending(at(sample::event(2, 7, Op::Load, 25, "x", "return x;"), 0x1000)));
  BugFailure failure;
  failure.kind = FailureKind::Race;
  failure.thread = 2;
  failure.place = bug.events.back().place;
  bug.schedule.claim = {kind, 2, 1, 0};
  bug.failure = failure;
  bug.objects = {{NamedObject::Variable, "x", "int", 0x1000, 4, kNoThread, {"src/bank.cc", 3, 0, "", ""}}};
  return bug;
}

BugEvent lock(ThreadId thread, u64 mutex, const std::string& name, Op op = Op::Lock) {
  return at(sample::event(thread, 2, op, 10, name, ""), mutex);
}

TEST(Race, BothAccessesAndTheirLocks) {
  const Bug bug = race({lock(1, 0x10, "m"), lock(2, 0x20, "n")});
  const std::string text = explained(bug);
  EXPECT_TRUE(has(text, "T1 writes x = 1 at bank.cc:15, holding m (since bank.cc:10)")) << text;
  EXPECT_TRUE(has(text, "T2 reads x at bank.cc:25, holding n (since bank.cc:10)")) << text;
  EXPECT_TRUE(has(text, "the locks differ: T1 holds m, T2 holds n")) << text;
  EXPECT_TRUE(has(text, "the race is on x, a global variable (int) at bank.cc:3")) << text;
  EXPECT_EQ(race_message(bug, *race_of(bug)), "data race: T2 reads x while T1 writes it");
}

TEST(Race, LocksThatNobodyElseUsesAreToldToo) {
  Bug bug = race({});
  EXPECT_TRUE(has(explained(bug), "neither thread holds a lock"));
  bug.holds = {{0, 1, 0x10, true, false, "m", {"src/bank.cc", 14, 0, "", ""}}};
  EXPECT_TRUE(has(explained(bug), "only T1 holds m; T2 holds no lock")) << explained(bug);
  bug.holds.push_back({0, 1, 0x10, false, false, "m", {}});
  EXPECT_TRUE(has(explained(bug), "neither thread holds a lock"));
}

TEST(Race, ReadLocksAreNamed) {
  const std::string text = explained(race({lock(1, 0x10, "m", Op::ReadLock), lock(2, 0x10, "m", Op::ReadLock)}));
  EXPECT_TRUE(has(text, "both hold m, but only for reading")) << text;
}

TEST(Race, ARelaxedFlagOrdersNothing) {
  BugEvent data = at(sample::event(1, 1, Op::Store, 15, "x", "x = 1;", 0, 1), 0x1000);
  BugEvent flag = at(sample::event(1, 2, Op::Store, 16, "flag", "", 0, 1), 0x2000);
  BugEvent seen = at(sample::event(2, 1, Op::Load, 24, "flag", "", 1), 0x2000);
  flag.raw.order = seen.raw.order = Order::Relaxed;
  Bug bug = race({data, flag, seen}, Claim::RaceWithEarlier);
  bug.events.erase(bug.events.end() - 2);  // T1 has ended
  std::string text = explained(bug);
  EXPECT_TRUE(has(text, "T1 wrote x = 1 at bank.cc:15 (step 1)")) << text;
  EXPECT_TRUE(has(text, "the write at bank.cc:16 is relaxed, not release")) << text;
  EXPECT_TRUE(has(text, "the read at bank.cc:24 is relaxed, not acquire")) << text;
  bug.events[1].raw.order = Order::Release;
  text = explained(bug);
  EXPECT_FALSE(has(text, "not release")) << text;
  EXPECT_TRUE(has(text, "not acquire")) << text;
}

TEST(Race, TheLastRowHasBothAccesses) {
  const std::string text = story(race({}), {});
  EXPECT_TRUE(has(text, "  >>  bank.cc:15  writes x = 1")) << text;
  const size_t row = text.find("  >>  ");
  EXPECT_TRUE(has(text.substr(row, text.find('\n', row) - row), "bank.cc:25  reads x")) << text;
}

TEST(Deadlock, ACircle) {
  const std::string text = explained(sample::lock_order());
  EXPECT_TRUE(has(text, "T1 holds a (since bank.cc:10) and waits for mutex b at bank.cc:11, which T2 holds")) << text;
  EXPECT_TRUE(has(text, "main waits for the end of T1")) << text;
}

/// T1 waits at a condition for ever.
Bug waits_for_ever(std::vector<BugEvent> before) {
  Bug bug;
  bug.visibility = sample::three_threads();
  bug.events = std::move(before);
  bug.events.push_back(pending(at(sample::event(1, 9, Op::CondWake, 12, "c", "", kNoThread), 0x100)));
  return bug;
}

TEST(Deadlock, SignalsThatCameTooEarly) {
  BugEvent take = lock(1, 0x10, "m"), wait = at(sample::event(1, 3, Op::CondWait, 12, "c", ""), 0x100);
  wait.raw.operand = 0x10;
  const BugEvent signal = at(sample::event(2, 1, Op::Signal, 30, "c", ""), 0x100);
  const Bug early = waits_for_ever({signal, take, wait});
  EXPECT_EQ(missed_signal(early, 3),
            "the last signal of c came from T2 at bank.cc:30 (step 1), before T1 began to wait (step 3): nobody waited "
            "then");
  EXPECT_EQ(missed_signal(waits_for_ever({take, wait}), 2), "no thread signals c in this run");
}

TEST(Next, FitsTheReason) {
  auto steps = [](const std::string& limit) {
    CheckResult result;
    result.limits = {limit};
    std::string text;
    for (const std::string& step : next_steps(result)) text += step + "\n";
    return text;
  };
  EXPECT_TRUE(has(steps("timeout: 3 seconds"), "--resume"));
  EXPECT_TRUE(has(steps("timeout: 3 seconds"), "--explore pct"));
  EXPECT_TRUE(has(steps("Suite.Test: timeout: 3 seconds"), "--resume"));
  EXPECT_TRUE(has(steps("pct: schedules are sampled"), "--explore cumulative"));
  EXPECT_TRUE(has(steps("races: not looked for, because"), "--races off"));
  EXPECT_TRUE(has(steps("max-events: 2 runs reached 100 scheduling points"), "--max-events"));
  EXPECT_TRUE(has(steps("out-of-resources: out of memory: the run has"), "--run-memory"));
  EXPECT_TRUE(has(steps("unsupported: fork is not supported"), "docs/unsupported.md"));
  EXPECT_TRUE(has(steps("unsupported: instrumented code runs on a thread that Plait did not create"), "statically"));
  EXPECT_TRUE(has(steps("library: libtbb.so.12 was not compiled with the wrapper"), "--trust-libraries"));
  EXPECT_TRUE(has(steps("max-paths: 10; not all values of the inputs are covered"), "--max-paths"));
  // The other reasons of engine, check and explore.
  for (const char* limit : {"interrupted",
                            "max-executions: 5",
                            "memory: the search has more states than fit",
                            "preemption-bound: 2; more",
                            "waiting loop: T1 goes round in a loop that changes nothing",
                            "solver: 2 queries were given up",
                            "store-buffer: one was full under PSO",
                            "out-of-resources: more than 64 threads",
                            "ignored: race",
                            "divergence: the program did not run",
                            "divergence: a failure did not happen again",
                            "audit: an internal error",
                            "inputs: the solver has given up",
                            "shortest-seeds: runs may be missing",
                            "a predicted data race did not show when it was run",
                            "a predicted livelock did not show when it was run",
                            "a data race of a run did not show when it was run again",
                            "a schedule that should have shown something new failed before it got there",
                            "error: a failure was found, but could not be confirmed: no",
                            "timeout: not all outputs were recorded"})
    EXPECT_NE(steps(limit), "") << limit;
  // Of a runtime: options of plait explore only.
  for (const char* limit : {"timeout: 3 seconds", "max-executions: 5", "max-events: 2 runs", "memory: more",
                            "values cannot be predicted: 'a' did not", "divergence: a result did not appear again",
                            "error: the runtime 'python3': message 3", "shortest-seeds: runs may be missing"}) {
    CheckResult result;
    result.limits = {limit};
    result.of_runtime = true;
    ASSERT_FALSE(next_steps(result).empty()) << limit;
    for (const std::string& step : next_steps(result)) {
      for (const char* option : {"--resume", "pct", "report", "plait check"}) EXPECT_FALSE(has(step, option)) << step;
    }
  }
  CheckResult safe;
  safe.verdict = Verdict::Safe;
  EXPECT_TRUE(next_steps(safe).empty());
}

}  // namespace
}  // namespace plait
