#include "knowledge/behaviour.h"

#include <gtest/gtest.h>

#include "trace.h"

namespace plait {
namespace {

using namespace testing_traces;

TEST(Behaviour, CountsHistoriesOncePerResult) {
  Behaviour knowledge;
  EXPECT_EQ(store_buffering().teach(knowledge), "");
  EXPECT_EQ(knowledge.histories(), 2u);  // one load each
  const u64 version = knowledge.version();
  EXPECT_EQ(store_buffering().teach(knowledge), "");
  EXPECT_EQ(knowledge.version(), version);  // nothing new
  // T2 first: T1 receives 1, T2 receives 0.
  EXPECT_EQ(Trace().store(2, kY, 1).load(2, kX, 0).store(1, kX, 1).load(1, kY, 1).end().teach(knowledge), "");
  EXPECT_EQ(knowledge.histories(), 4u);
}

TEST(Behaviour, TellsWhenAThreadBehavesDifferentlyAfterTheSameHistory) {
  Behaviour knowledge;
  EXPECT_EQ(store_buffering().teach(knowledge), "");
  EXPECT_NE(Trace().store(1, kY, 1).load(1, kX, 0).end().teach(knowledge), "");
}

TEST(Behaviour, LearnsInitialValuesFromTheFirstAccess) {
  Behaviour knowledge;
  EXPECT_EQ(Trace().store(1, kX, 5, 0x01020304).load(2, kX, 5).end().teach(knowledge), "");
  EXPECT_EQ(knowledge.initial_byte(kX), 4);
  EXPECT_EQ(knowledge.initial_byte(kX + 3), 1);
}

TEST(Behaviour, LeavesOutWhatIsNotShared) {
  Behaviour knowledge;
  std::vector<Event> events(1);
  events[0].op = Op::Load;
  events[0].location = kX;
  events[0].size = 4;
  EXPECT_EQ(knowledge.learn(events, "", {}, false, [](u64, u64) { return false; }), "");
  EXPECT_EQ(knowledge.histories(), 0u);
}

TEST(Behaviour, InternsWideValues) {
  Behaviour knowledge;
  const u128 value = static_cast<u128>(7) << 64 | 9;
  EXPECT_EQ(knowledge.intern_wide(value), knowledge.intern_wide(value));
  EXPECT_TRUE(knowledge.wide(knowledge.intern_wide(value)) == value);
}

}  // namespace
}  // namespace plait
