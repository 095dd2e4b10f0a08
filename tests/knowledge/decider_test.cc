#include "explore/decider.h"

#include <gtest/gtest.h>

#include "knowledge/races.h"
#include "trace.h"

namespace plait {
namespace {

using namespace testing_traces;

const std::atomic<bool> kGoOn{false};

TEST(Decider, FindsTheResultsThatNoRunHasShown) {
  Behaviour knowledge;
  ASSERT_EQ(store_buffering().teach(knowledge), "");
  Decider decider(knowledge, {});
  ASSERT_TRUE(decider.search(kGoOn));
  // T1 could read 1 from y, T2 could read 0 from x.
  ASSERT_EQ(decider.leads().size(), 2u);
  for (const Lead& lead : decider.leads()) {
    EXPECT_EQ(lead.kind, StepKind::Unknown);
    StepResult last;
    const std::vector<PathStep> path = decider.path(lead, last).steps;
    ASSERT_FALSE(path.empty());
    EXPECT_EQ(last.kind, StepKind::Unknown);
    EXPECT_EQ(last.missing_value, lead.thread == 1 ? 1u : 0u);
    EXPECT_EQ(path.back().thread, lead.thread);
  }
}

TEST(Decider, IsCompleteWhenEveryResultIsKnown) {
  Behaviour knowledge;
  ASSERT_EQ(store_buffering().teach(knowledge), "");
  ASSERT_EQ(Trace().store(2, kY, 1).load(2, kX, 0).store(1, kX, 1).load(1, kY, 1).end().teach(knowledge), "");
  Decider decider(knowledge, {});
  ASSERT_TRUE(decider.search(kGoOn));
  EXPECT_TRUE(decider.leads().empty());
  Decider classes(knowledge, {.merge = false});
  ASSERT_TRUE(classes.search(kGoOn));
  EXPECT_EQ(classes.classes(), 3u);  // not both 0: that needs store buffers
  // Reductions change what is visited, not the answer.
  Decider all(knowledge, {.reduce = false, .merge = false});
  ASSERT_TRUE(all.search(kGoOn));
  EXPECT_EQ(all.classes(), 3u);
  EXPECT_GE(all.states(), classes.states());
}

TEST(Decider, IndependentThreadsAreNotInterleaved) {
  Behaviour knowledge;
  ASSERT_EQ(Trace().store(1, kX, 1).store(1, kX, 2, 1).store(2, kY, 1).store(2, kY, 2, 1).end().teach(knowledge), "");
  Decider reduced(knowledge, {});
  ASSERT_TRUE(reduced.search(kGoOn));
  EXPECT_EQ(reduced.states(), 1u);  // one path, and only its end is kept
  Decider all(knowledge, {.reduce = false});
  ASSERT_TRUE(all.search(kGoOn));
  EXPECT_EQ(all.states(), 5u);  // of nine: where both can step, and the end
}

TEST(Races, AtomicAccessesDoNotRace) {
  Behaviour knowledge;
  ASSERT_EQ(store_buffering().teach(knowledge), "");
  EXPECT_FALSE(may_race(knowledge, Layout(knowledge)));
}

}  // namespace
}  // namespace plait
