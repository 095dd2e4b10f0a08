#include "explore/control.h"

#include <gtest/gtest.h>

#include <thread>

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
  control.check_time();
  EXPECT_EQ(control.reason(), StopReason::Timeout);
}

}  // namespace
}  // namespace plait
