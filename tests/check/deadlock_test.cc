#include "check/deadlock.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

Event pending(ThreadId thread, Op op, u64 waits_for) {
  Event e{};
  e.thread = thread;
  e.op = op;
  e.value = waits_for;
  e.flags = event_flag::kPending;
  return e;
}

ThreadSet core(const std::vector<Event>& events) {
  ThreadSet set = 0;
  for (const Event& event : deadlock_core(events)) set |= bit(event.thread);
  return set;
}

TEST(Deadlock, ACycleIsTheCause) {
  // 1 and 2 wait for each other; main joins 1; 3 waits for 2; 4 could still write.
  std::vector<Event> events = {pending(0, Op::Join, 1), pending(1, Op::Lock, 2), pending(2, Op::Lock, 1),
                               pending(3, Op::Lock, 2), pending(4, Op::Store, kNoThread)};
  EXPECT_EQ(core(events), bit(1) | bit(2));
}

TEST(Deadlock, WithoutACycleAllBlockedThreads) {
  std::vector<Event> events = {pending(0, Op::Join, 1), pending(1, Op::CondWake, kNoThread),
                               pending(2, Op::Store, kNoThread)};
  EXPECT_EQ(core(events), bit(0) | bit(1));
}

TEST(Deadlock, AThreadMayWaitForItself) {
  std::vector<Event> events = {pending(0, Op::Lock, 0)};
  EXPECT_EQ(core(events), bit(0));
}

TEST(Deadlock, OnlyTheEndOfTheTraceIsPending) {
  Event performed{};
  performed.thread = 5;
  std::vector<Event> events = {performed, pending(1, Op::SemWait, kNoThread)};
  EXPECT_EQ(pending_operations(events).size(), 1u);
  EXPECT_TRUE(deadlock_core(std::vector<Event>{performed}).empty());
}

}  // namespace
}  // namespace plait
