#include "check/minimise.h"

#include <gtest/gtest.h>

#include "explore/schedule.h"
#include "host/native_runner.h"

namespace plait {
namespace {

struct Found {
  Found(std::vector<std::string> threads, u64 seed)
      : program{MOCK_PROGRAM, std::move(threads), ""},
        runners(program, std::make_shared<SessionMemory>(SessionOptions{}), {}),
        control({}),
        findings(control, {}) {
    ExploreOptions options;
    options.seed = seed;
    Exploration exploration{runners, options, control, findings};
    learn_sharing(exploration);
    explore(*make_random(), exploration);
  }
  Program program;
  NativeRunners runners;
  Control control;
  Findings findings;
};

TEST(Minimise, RandomSchedulesLoseTheirSwitchesAndKeepTheirBug) {
  for (u64 seed = 1; seed <= 5; ++seed) {
    Found f({"sssssA", "ssssss", "ssssss"}, seed);
    ASSERT_EQ(f.findings.bugs().size(), 1u);
    FoundBug bug = f.findings.bugs()[0];
    RecordedRun before = replay_fresh(f.runners, bug.witness);
    Minimised shorter = minimise(*f.runners.make(), bug);
    RecordedRun after = replay_fresh(f.runners, shorter.witness);
    EXPECT_TRUE(same_failure(after, bug));
    EXPECT_EQ(count_switches(after.events), shorter.switches);
    EXPECT_LE(shorter.switches, 2u) << "from " << count_switches(before.events);
    EXPECT_LE(shorter.runs, 3100u);
  }
}

TEST(Minimise, DeadlocksStayTheSameDeadlock) {
  Found f({"ssLss", "ssLss"}, 3);
  ASSERT_FALSE(f.findings.bugs().empty());
  FoundBug bug = f.findings.bugs()[0];
  Minimised shorter = minimise(*f.runners.make(), bug);
  RecordedRun after = replay_fresh(f.runners, shorter.witness);
  EXPECT_TRUE(same_failure(after, bug));
}

TEST(Minimise, AScheduleThatDoesNotFailComesBackUnchanged) {
  Found f({"sA", "s"}, 1);
  FoundBug bug = f.findings.bugs().at(0);
  f.program.arguments = {"ss", "s"};
  Minimised same = minimise(*f.runners.make(), bug);
  EXPECT_EQ(merged(same.witness.schedule).choices.size(), merged(bug.witness.schedule).choices.size());
  EXPECT_EQ(same.runs, 0u);
}

TEST(Minimise, KeepsToItsBudget) {
  Found f({"ssssssssA", "ssssssss", "ssssssss"}, 2);
  FoundBug bug = f.findings.bugs().at(0);
  Minimised little = minimise(*f.runners.make(), bug, {.points = 1});
  EXPECT_EQ(little.runs, 1u);  // is it the bug at all?
  little = minimise(*f.runners.make(), bug, {.runs = 10});
  EXPECT_LE(little.runs, 10u + 64u);
  EXPECT_TRUE(same_failure(replay_fresh(f.runners, little.witness), bug));
}

}  // namespace
}  // namespace plait
