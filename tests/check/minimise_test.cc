#include "check/minimise.h"

#include <gtest/gtest.h>

#include "explore/schedule.h"

namespace plait {
namespace {

struct Found {
  Found(std::vector<std::string> threads, u64 seed)
      : program{MOCK_PROGRAM, std::move(threads), ""}, session(SessionOptions{}), control({}), findings(control, {}) {
    Worker worker(program, session, options);
    ExploreOptions explore;
    explore.seed = seed;
    Exploration exploration{program, session, options, explore, control, findings};
    learn_sharing(exploration, worker);
    make_random()->explore(exploration, worker);
  }
  Program program;
  SessionMemory session;
  WorkerOptions options;
  Control control;
  Findings findings;
};

TEST(Minimise, RandomSchedulesLoseTheirSwitchesAndKeepTheirBug) {
  for (u64 seed = 1; seed <= 5; ++seed) {
    Found f({"sssssA", "ssssss", "ssssss"}, seed);
    ASSERT_EQ(f.findings.bugs().size(), 1u);
    FoundBug bug = f.findings.bugs()[0];
    RecordedRun before = replay_fresh(f.program, f.session, f.options, bug.witness);
    Worker worker(f.program, f.session, f.options);
    Minimised shorter = minimise(worker, bug);
    RecordedRun after = replay_fresh(f.program, f.session, f.options, shorter.witness);
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
  Worker worker(f.program, f.session, f.options);
  Minimised shorter = minimise(worker, bug);
  RecordedRun after = replay_fresh(f.program, f.session, f.options, shorter.witness);
  EXPECT_TRUE(same_failure(after, bug));
}

TEST(Minimise, AScheduleThatDoesNotFailComesBackUnchanged) {
  Found f({"sA", "s"}, 1);
  FoundBug bug = f.findings.bugs().at(0);
  f.program.arguments = {"ss", "s"};
  Worker worker(f.program, f.session, f.options);
  Minimised same = minimise(worker, bug);
  EXPECT_EQ(merged(same.witness.steps).size(), merged(bug.witness.steps).size());
  EXPECT_EQ(same.runs, 0u);
}

TEST(Minimise, KeepsToItsBudget) {
  Found f({"ssssssssA", "ssssssss", "ssssssss"}, 2);
  FoundBug bug = f.findings.bugs().at(0);
  Worker worker(f.program, f.session, f.options);
  Minimised little = minimise(worker, bug, {10, 2});
  EXPECT_LE(little.runs, 10u + 64u);
  EXPECT_TRUE(same_failure(replay_fresh(f.program, f.session, f.options, little.witness), bug));
}

}  // namespace
}  // namespace plait
