#include "explore/work_list.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

Choice step(ThreadId thread, u32 position) { return Choice{Choice::Run, thread, 0, position}; }

std::vector<Choice> steps_of(const Alternative& a) { return {a.prefix().begin(), a.prefix().end()}; }

TEST(WorkList, TheRootComesOnce) {
  WorkList list;
  EXPECT_TRUE(list.empty());
  list.add_root();
  EXPECT_EQ(list.available(10), 1u);
  EXPECT_TRUE(list.pop().root);
  EXPECT_TRUE(list.empty());
}

TEST(WorkList, DeepestFirstArgsBeforeThreads) {
  WorkList list;
  Choice suffix[] = {step(1, 1), step(2, 1), step(1, 2)};
  list.add({nullptr, 0, 1, 0, 0b100, bit(1)});
  list.add({nullptr, 2, 1, 0b1000, 0b110, bit(1)});
  list.finish_run(0, {}, suffix);
  EXPECT_EQ(list.available(10), 4u);
  EXPECT_EQ(list.next_points(), 2u);

  Alternative a = list.pop();
  EXPECT_EQ(a.point, 2u);
  EXPECT_TRUE(a.chosen);
  EXPECT_EQ(a.arg, 3);
  EXPECT_EQ(a.thread, 1);
  EXPECT_EQ(a.sleep, 0u);  // its own thread is not asleep
  ASSERT_EQ(steps_of(a).size(), 2u);
  EXPECT_EQ(steps_of(a)[1].thread, 2);

  Alternative b = list.pop();
  EXPECT_EQ(b.thread, 1);
  Alternative c = list.pop();
  EXPECT_EQ(c.thread, 2);
  EXPECT_EQ(c.sleep, bit(1));  // the earlier sibling
  Alternative d = list.pop();
  EXPECT_EQ(d.point, 0u);
  EXPECT_EQ(d.thread, 2);
  EXPECT_TRUE(list.empty());
  for (Alternative* x : {&a, &b, &c, &d}) Trunk::release(x->trunk);
}

TEST(WorkList, ATrunkIsPrefixThenSuffix) {
  WorkList list;
  Choice prefix[] = {step(1, 1), step(1, 2)}, suffix[] = {step(2, 1), step(2, 2), step(2, 3)};
  list.add({nullptr, 4, 2, 0, 0b10, 0});
  list.finish_run(0, prefix, suffix);
  Alternative a = list.pop();
  auto steps = steps_of(a);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[1].position, 2u);
  EXPECT_EQ(steps[3].thread, 2);
  EXPECT_EQ(steps[3].position, 2u);
  Trunk::release(a.trunk);
}

TEST(WorkList, DonatesTheOldestHalf) {
  WorkList giver, taker;
  Choice suffix[] = {step(1, 1), step(1, 2), step(1, 3), step(1, 4)};
  for (u32 point = 0; point < 4; ++point) giver.add({nullptr, point, 1, 0, 0b100, 0});
  giver.finish_run(0, {}, suffix);
  std::vector<Branch> pool;
  giver.donate(32, pool);
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(giver.branches(), 2u);
  taker.adopt(pool);
  EXPECT_TRUE(pool.empty());
  Alternative a = taker.pop();
  EXPECT_EQ(a.point, 1u);
  EXPECT_EQ(steps_of(a).size(), 1u);
  Trunk::release(a.trunk);
}

}  // namespace
}  // namespace plait
