#include "explore/schedule.h"

#include <gtest/gtest.h>

#include "explore/explorer.h"

namespace plait {
namespace {

Event event(ThreadId thread, u32 position, Op op = Op::Store, u8 flags = event_flag::kPoint) {
  Event e{};
  e.thread = thread;
  e.position = position;
  e.op = op;
  e.flags = flags;
  return e;
}

Event signal(ThreadId thread, u32 position, u64 possible, u16 arg) {
  Event e = event(thread, position, Op::Signal);
  e.extra = possible;
  e.arg = arg;
  return e;
}

std::vector<Choice> schedule_of(const std::vector<Event>& events) {
  std::vector<Choice> steps;
  append_steps(events, steps);
  return merged(steps);
}

void expect_entry(const Choice& c, ThreadId thread, u32 position, u16 arg = 0) {
  EXPECT_EQ(c.kind, Choice::Run);
  EXPECT_EQ(c.thread, thread);
  EXPECT_EQ(c.position, position);
  EXPECT_EQ(c.arg, arg);
}

TEST(Schedule, MergesNeighboursOfOneThread) {
  auto s = schedule_of({event(1, 2), event(1, 5), event(2, 1), event(1, 6)});
  ASSERT_EQ(s.size(), 3u);
  expect_entry(s[0], 1, 5);
  expect_entry(s[1], 2, 1);
  expect_entry(s[2], 1, 6);
}

TEST(Schedule, FreeStepsAreNotNamed) {
  auto s = schedule_of({event(0, 1, Op::Fork, 0), event(1, 0, Op::Begin, 0), event(1, 2)});
  ASSERT_EQ(s.size(), 1u);
  expect_entry(s[0], 1, 2);
}

TEST(Schedule, AChoiceEndsItsEntry) {
  auto s = schedule_of({event(1, 1), signal(1, 2, 0b1100, 3), event(1, 4)});
  ASSERT_EQ(s.size(), 2u);
  expect_entry(s[0], 1, 2, 3);  // what came before may join it
  expect_entry(s[1], 1, 4);
}

TEST(Schedule, ASignalWithoutWaitersIsNoChoice) {
  auto s = schedule_of({signal(1, 2, 0, 0), event(1, 4)});
  ASSERT_EQ(s.size(), 1u);
  expect_entry(s[0], 1, 4);
}

TEST(Schedule, ExpectedValueOfACasIsNoChoice) {
  Event cas = event(1, 2, Op::Cas);
  cas.extra = 7;
  EXPECT_FALSE(has_choices(cas));
}

TEST(Schedule, ExactStepsReachToTheThreadsNextEvent) {
  // Thread 1 went on silently over its operations 3 and 4 before thread 2 stepped.
  auto steps = exact_steps(std::vector<Event>{event(1, 2), event(2, 1), event(1, 5)});
  ASSERT_EQ(steps.size(), 3u);
  expect_entry(merged(steps)[0], 1, 4);
  expect_entry(merged(steps)[1], 2, 1);
  expect_entry(merged(steps)[2], 1, 5);
}

TEST(Schedule, ExactStepsKeepChoicesAtTheirPosition) {
  auto s = merged(exact_steps(std::vector<Event>{signal(1, 2, 0b100, 2), event(2, 1), event(1, 5)}));
  ASSERT_EQ(s.size(), 4u);
  expect_entry(s[0], 1, 2, 2);
  expect_entry(s[1], 1, 4);
}

TEST(Schedule, ARunsStepsBeginWithItsPrefix) {
  std::vector<Choice> prefix = {{Choice::Run, 3, 0, 7}};
  std::vector<Event> events = {event(1, 2), event(2, 1), event(1, 5)};
  for (u8 grew : {0, 1}) {
    Reply reply{};
    reply.sharing_grew = grew;
    auto steps = FinishedRun{RunView{&reply, events, ""}, prefix}.schedule().choices;
    ASSERT_EQ(steps.size(), 4u);
    expect_entry(steps[0], 3, 7);
    expect_entry(steps[1], 1, grew ? 4 : 2);
  }
}

TEST(Schedule, Empty) { EXPECT_TRUE(merged({}).empty()); }

}  // namespace
}  // namespace plait
