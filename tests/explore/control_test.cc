#include "explore/control.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/memory_use.h"

namespace plait {
namespace {

TEST(Control, GrantsExactlyTheLimit) {
  Control control({std::nullopt, 100});
  EXPECT_EQ(control.take(64), 64u);
  EXPECT_EQ(control.take(64), 36u);
  EXPECT_FALSE(control.stopped());
  EXPECT_EQ(control.take(1), 0u);
  EXPECT_EQ(control.reason(), StopReason::MaxExecutions);
}

TEST(Control, UnusedGrantsComeBack) {
  Control control({std::nullopt, 10});
  EXPECT_EQ(control.take(10), 10u);
  control.give_back(4);
  EXPECT_EQ(control.take(10), 4u);
}

TEST(Control, NoLimit) {
  Control control({});
  EXPECT_EQ(control.take(1'000'000), 1'000'000u);
}

TEST(Control, TheFirstReasonWins) {
  Control control({});
  control.stop(StopReason::Bug);
  control.stop(StopReason::Interrupted);
  EXPECT_EQ(control.reason(), StopReason::Bug);
  EXPECT_TRUE(control.cancel_flag());
}

TEST(Control, ABugLetsBatchesFinish) {
  Control control({});
  control.stop(StopReason::Bug);
  EXPECT_TRUE(control.stopped());
  EXPECT_FALSE(control.cancel_flag());
}

TEST(Control, Timeout) {
  Control control({0.01, std::nullopt});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  control.check_limits();
  EXPECT_EQ(control.reason(), StopReason::Timeout);
  EXPECT_EQ(control.seconds_left(), 0.0);
}

TEST(Control, TheClockIsLookedAtByItself) {
  Control control({0.01, std::nullopt});
  while (!control.abandon_flag()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(control.stopped());
  EXPECT_TRUE(control.cancel_flag());
  EXPECT_GE(control.seconds(), 0.01);
}

TEST(Control, Memory) {
  set_memory_limit(1);  // less than any process has
  Control control({});
  while (!control.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  set_memory_limit(0);
  EXPECT_EQ(control.reason(), StopReason::Memory);
  EXPECT_TRUE(control.cancel_flag());
}

}  // namespace
}  // namespace plait
