#include "check/findings.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

/// A run that ended as told, by hand.
struct FakeRun {
  Reply reply{};
  std::vector<Event> events;
  std::string output;
  FakeRun(RunStatus status, FailureKind kind, u32 site, u32 switches, std::initializer_list<ThreadId> threads) {
    reply.status = status;
    reply.failure.kind = kind;
    reply.failure.site = site;
    reply.switches = switches;
    reply.points = static_cast<u32>(threads.size());
    for (ThreadId t : threads) {
      Event e{};
      e.thread = t;
      e.flags = event_flag::kPoint;
      e.position = static_cast<u32>(events.size() + 1);
      events.push_back(e);
    }
  }
  FakeRun& pending(u32 site) {
    Event e{};
    e.op = Op::CondWake;
    e.value = kNoThread;
    e.flags = event_flag::kPending;
    e.site = site;
    events.push_back(e);
    return *this;
  }
  void to(Findings& findings) const { findings.finished({RunView{&reply, events, output}, {}}); }
};

FakeRun failing(u32 site, u32 switches, std::initializer_list<ThreadId> threads) {
  return {RunStatus::Failed, FailureKind::Assertion, site, switches, threads};
}

TEST(Findings, OneBugPerSite) {
  Control control({});
  Findings findings(control, {true, false});
  failing(1, 5, {1, 2}).to(findings);
  failing(1, 5, {2, 1}).to(findings);
  failing(2, 5, {2, 1}).to(findings);
  EXPECT_EQ(findings.bugs().size(), 2u);
  EXPECT_FALSE(control.stopped());
}

TEST(Findings, IgnoredKindsStopNothing) {
  Control control({});
  Findings findings(control, {.checked = KindSet::parse("deadlock")});
  failing(1, 5, {1, 2}).to(findings);
  failing(1, 4, {1, 2}).to(findings);
  EXPECT_TRUE(findings.bugs().empty());
  EXPECT_FALSE(control.stopped());
  ASSERT_EQ(findings.ignored().size(), 1u);
  EXPECT_EQ(findings.ignored()[0].kind, FailureKind::Assertion);
  FakeRun(RunStatus::Failed, FailureKind::Deadlock, 2, 3, {1}).pending(2).to(findings);
  EXPECT_EQ(findings.bugs().size(), 1u);
  EXPECT_TRUE(control.stopped());
}

TEST(Findings, KeepsTheSimplestScheduleInAnyOrderOfArrival) {
  auto best = [](std::vector<FakeRun> runs) {
    Control control({});
    Findings findings(control, {true, false});
    for (const FakeRun& run : runs) run.to(findings);
    return findings.bugs().at(0).witness.schedule.choices;
  };
  FakeRun few_switches = failing(1, 2, {1, 1, 2, 2}), fewer_steps = failing(1, 2, {2, 1, 1}),
          many = failing(1, 9, {1, 2});
  FakeRun tie = failing(1, 2, {1, 2, 2});
  std::vector<Choice> a = best({few_switches, fewer_steps, many, tie}),
                      b = best({tie, many, fewer_steps, few_switches});
  ASSERT_EQ(a.size(), 4u);  // and whose failure it is
  EXPECT_EQ(a.back().position, kNextPoint);
  EXPECT_EQ(a[0].thread, 1);
  ASSERT_EQ(b.size(), 4u);
  EXPECT_EQ(b[0].thread, 1);
}

TEST(Findings, StopsAtTheFirstBugUnlessToldNotTo) {
  Control control({});
  Findings findings(control, {false, false});
  failing(1, 1, {1}).to(findings);
  EXPECT_EQ(control.reason(), StopReason::Bug);
}

TEST(Findings, ARunThatDiscoveredSharingIsOnlyAHint) {
  Control control({});
  Findings findings(control, {false, false});
  FakeRun hint = failing(1, 0, {1});
  hint.reply.sharing_grew = 1;
  hint.to(findings);
  EXPECT_FALSE(control.stopped());
  failing(1, 7, {1, 2, 1}).to(findings);
  EXPECT_TRUE(control.stopped());
  ASSERT_EQ(findings.bugs().size(), 1u);
  EXPECT_FALSE(findings.bugs()[0].witness.sharing_grew);
}

TEST(Findings, DeadlocksDifferByWhatIsWaitedFor) {
  Control control({});
  Findings findings(control, {true, false});
  auto deadlock = [](u32 noticed, u32 a, u32 b) {
    return FakeRun(RunStatus::Failed, FailureKind::Deadlock, noticed, 0, {1}).pending(a).pending(b);
  };
  deadlock(1, 10, 20).to(findings);
  deadlock(2, 20, 10).to(findings);
  EXPECT_EQ(findings.bugs().size(), 1u);
  deadlock(1, 10, 30).to(findings);
  EXPECT_EQ(findings.bugs().size(), 2u);
}

TEST(Findings, WhatIsNotSupportedIsNoBug) {
  Control control({});
  Findings findings(control, {true, false});
  FakeRun run(RunStatus::Failed, FailureKind::Unsupported, 1, 0, {1});
  snprintf(run.reply.failure.message, sizeof run.reply.failure.message, "fork() is not supported");
  run.to(findings);
  run.to(findings);
  EXPECT_TRUE(findings.bugs().empty());
  EXPECT_EQ(findings.obstacles(), std::vector<std::string>{"unsupported: fork() is not supported"});
  EXPECT_EQ(control.reason(), StopReason::NotCheckable);
}

TEST(Findings, ARunThatWasNotRunIsNeverSafe) {
  Control control({});
  Findings findings(control, {true, false});
  FakeRun(RunStatus::NotRun, FailureKind::None, 0, 0, {}).to(findings);
  EXPECT_TRUE(control.stopped());
  EXPECT_EQ(findings.obstacles().size(), 1u);
}

TEST(Findings, DistinctOutputs) {
  Control control({});
  Findings findings(control, {false, true});
  EXPECT_TRUE(findings.wants_complete_runs());
  for (const char* text : {"b\n", "a\n", "b\n"}) {
    FakeRun run(RunStatus::Complete, FailureKind::None, 0, 0, {1});
    run.output = text;
    run.to(findings);
  }
  auto outcomes = findings.outcomes();
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].output, "a\n");
  EXPECT_EQ(outcomes[1].output, "b\n");
}

}  // namespace
}  // namespace plait
