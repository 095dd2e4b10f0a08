#include "report/relations.h"

#include <gtest/gtest.h>

#include "sample.h"

namespace plait {
namespace {

std::vector<std::pair<size_t, size_t>> of_kind(const Bug& bug, RelationKind kind) {
  std::vector<std::pair<size_t, size_t>> result;
  for (const Relation& r : relations(bug))
    if (r.kind == kind) result.emplace_back(r.from, r.to);
  return result;
}

using Pairs = std::vector<std::pair<size_t, size_t>>;

TEST(Relations, ReadsComeFromTheLastWrite) {
  Bug bug = sample::lost_update();
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), (Pairs{{3, 4}}));
}

TEST(Relations, AReadOfTwoHalvesHasTwoWriters) {
  Bug bug;
  bug.events = {sample::event(1, 1, Op::Store, 1, "x", ""), sample::event(2, 1, Op::Store, 2, "x", ""),
                sample::event(1, 2, Op::Load, 3, "x", "")};
  bug.events[0].raw.size = bug.events[1].raw.size = 2;
  bug.events[1].raw.location += 2;
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), (Pairs{{0, 2}, {1, 2}}));
}

TEST(Relations, AFailedCasWritesNothing) {
  Bug bug;
  bug.events = {sample::event(1, 1, Op::Cas, 1, "x", "", 5, 9), sample::event(2, 1, Op::Load, 2, "x", "", 5)};
  bug.events[0].raw.extra = 4;
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), Pairs{});
  EXPECT_EQ(value_after(bug.events[0].raw), 5u);
  bug.events[0].raw.extra = 5;
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), (Pairs{{0, 1}}));
  EXPECT_EQ(value_after(bug.events[0].raw), 9u);
}

TEST(Relations, LocksComeFromUnlocksAndWaits) {
  Bug bug;
  BugEvent wait = sample::event(1, 2, Op::CondWait, 3, "c", "");
  BugEvent lock = sample::event(1, 1, Op::Lock, 1, "m", ""), other = sample::event(2, 1, Op::Lock, 2, "m", "");
  wait.raw.operand = lock.raw.location;
  BugEvent wake = sample::event(1, 3, Op::CondWake, 3, "c", "");
  bug.events = {
      lock, wait, other, sample::event(2, 2, Op::Signal, 4, "c", ""), sample::event(2, 3, Op::Unlock, 5, "m", ""),
      wake};
  EXPECT_EQ(of_kind(bug, RelationKind::Lock), (Pairs{{1, 2}, {4, 5}}));
  EXPECT_EQ(of_kind(bug, RelationKind::Wake), (Pairs{{3, 5}}));
}

TEST(Relations, PendingOperationsHaveNone) {
  for (const Relation& r : relations(sample::lock_order())) EXPECT_LT(r.to, 2u);
}

TEST(Relations, ReadsComeFromFlushesAndFromTheOwnBuffer) {
  Bug bug = sample::store_buffering();
  bug.events.push_back(sample::event(2, 3, Op::Load, 31, "x", "x;", 1));
  bug.events.push_back(sample::event(1, 4, Op::Load, 31, "y", "y;", 1));
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), (Pairs{{0, 2}, {6, 7}, {4, 8}}));
  EXPECT_EQ(of_kind(bug, RelationKind::Flush), (Pairs{{1, 4}, {0, 6}}));
}

TEST(Relations, AStoreThatReachesMemoryAtOnceIsTheWriter) {
  Bug bug = sample::message_passing();
  EXPECT_EQ(of_kind(bug, RelationKind::ReadsFrom), (Pairs{{1, 3}}));
}

TEST(Relations, ValueAfterAnAddition) {
  BugEvent add = sample::event(1, 1, Op::Rmw, 1, "x", "", 0xffffffff, 2);
  add.raw.detail = static_cast<u8>(RmwKind::Add);
  EXPECT_EQ(value_after(add.raw), 1u);
  EXPECT_EQ(value_after(sample::event(1, 1, Op::Lock, 1, "m", "").raw), std::nullopt);
}

}  // namespace
}  // namespace plait
