#include "report/names.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace plait {
namespace {

Event event(Op op, u64 value = 0, u64 operand = 0, u64 extra = 0) {
  Event e{};
  e.op = op;
  e.size = 4;
  e.value = value;
  e.operand = operand;
  e.extra = extra;
  return e;
}

TEST(Names, EveryOperationHasItsOwnName) {
  std::set<std::string_view> names;
  for (int i = 1; i < static_cast<int>(Op::Count); ++i) {
    auto op = static_cast<Op>(i);
    EXPECT_NE(op_name(op), op_name(Op::None)) << i;
    EXPECT_TRUE(names.insert(op_name(op)).second) << op_name(op);
    EXPECT_EQ(op_from_name(op_name(op)), op);
  }
}

TEST(Names, Values) {
  EXPECT_EQ(value_text(0xffffffff, 4), "-1");
  EXPECT_EQ(value_text(0xffffffff, 8), "0xffffffff");
  EXPECT_EQ(value_text(0xff, 1), "-1");
  EXPECT_EQ(value_text(42, 8), "42");
  EXPECT_EQ(value_text(0x7ffff7a01234, 8), "0x7ffff7a01234");
  EXPECT_EQ(value_text(0x1234500000007, 4), "7");  // only the value's own bytes count
}

TEST(Names, Sentences) {
  EXPECT_EQ(event_text(event(Op::Load, 5), "x"), "read x = 5");
  EXPECT_EQ(event_text(event(Op::Store, 5, 6), "x"), "write x = 6 (was 5)");
  EXPECT_EQ(event_text(event(Op::Store, 5, 5), "x"), "write x = 5 (as before)");
  EXPECT_EQ(event_text(event(Op::Rmw, 5, 1), "x"), "exchange x: 1 (was 5)");
  Event add = event(Op::Rmw, 1, 1);
  add.detail = static_cast<u8>(RmwKind::Add);
  EXPECT_EQ(event_text(add, "x"), "add 1 to x: 2 (was 1)");
  add.detail = static_cast<u8>(RmwKind::Sub);
  EXPECT_EQ(event_text(add, "x"), "subtract 1 from x: 0 (was 1)");
  EXPECT_EQ(event_text(add, "x", {"&node", "", ""}), "subtract 1 from x (was &node)");
  EXPECT_EQ(event_text(event(Op::Cas, 5, 6, 5), "x"), "compare and swap x: 5 -> 6");
  EXPECT_EQ(event_text(event(Op::Cas, 4, 6, 5), "x"), "compare and swap x: failed, found 4 (expected 5)");
  EXPECT_EQ(event_text(event(Op::TryLock, EBUSY), "m"), "try to lock m: busy");
  EXPECT_EQ(event_text(event(Op::Signal), "c"), "signal c");
  EXPECT_EQ(event_text(event(Op::CondWake, ETIMEDOUT), "c"), "wake up from c: timed out");
  EXPECT_EQ(event_text(event(Op::Store, 5, 6), "p", {"null", "&node", ""}), "write p = &node (was null)");
  Event fork = event(Op::Fork, 1000);  // the child's clock
  fork.location = 3;
  EXPECT_EQ(event_text(fork, ""), "start T3");
  Event join = event(Op::Join);
  join.location = 1;
  EXPECT_EQ(event_text(join, ""), "join T1");
  EXPECT_EQ(waiting_text(join, ""), "waits for the end of T1");
  EXPECT_EQ(waiting_text(event(Op::Lock), "m"), "waits for mutex m");
}

}  // namespace
}  // namespace plait
