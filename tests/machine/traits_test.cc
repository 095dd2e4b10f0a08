// The table of operations agrees with itself and with what the machine does.
#include "machine/traits.h"

#include <gtest/gtest.h>

#include "machine/memory_model.h"
#include "machine/sync.h"

namespace plait::machine {
namespace {

template <class Test>
void for_all(Test&& test) {
  for (u32 i = 0; i < static_cast<u32>(Op::Count); ++i) test(static_cast<Op>(i));
}

TEST(Traits, LocksAreObjects) {
  for_all([](Op op) {
    const Traits& t = traits(op);
    if (t.hold != Hold::None) EXPECT_TRUE(is_sync(op)) << static_cast<int>(op);
    if (t.second != Second::None) EXPECT_TRUE(is_sync(op)) << static_cast<int>(op);
    if (t.destroys) EXPECT_TRUE(is_destructible(op)) << static_cast<int>(op);
    if (is_sync(op)) EXPECT_TRUE(rules_of(MemoryModel::Tso).drains(op, Order::Plain)) << static_cast<int>(op);
    if (t.hold == Hold::GivesMutex || t.hold == Hold::TakesMutexBack) EXPECT_TRUE(is_wait(op)) << static_cast<int>(op);
  });
}

TEST(Traits, OnlyWhatCanBlockIsEverDisabled) {
  // A mutex that another thread holds, a condition and a futex where one waits, a barrier that is not full, a semaphore
  // at 0.
  for_all([](Op op) {
    if (!is_sync(op)) return;
    Object objects[3];
    objects[1] = {.owner = 2, .life = 0, .count = 1, .value = 0, .waiters = bit(1)};
    objects[2] = {.owner = 2, .life = 0, .count = 1, .value = 0, .waiters = 0};
    const SyncState state{objects, 0};
    const Operation operation{.op = op, .location = 0x10, .operand = 0x20, .object = 1, .object2 = 2};
    if (!enabled(state, 1, operation)) EXPECT_TRUE(can_block(op)) << static_cast<int>(op);
  });
}

TEST(Traits, WhoHoldsWhat) {
  EXPECT_EQ(hold_change(Op::TryLock, 0).kind, HoldChange::Takes);
  EXPECT_EQ(hold_change(Op::TryLock, 16).kind, HoldChange::None);
  EXPECT_EQ(hold_change(Op::Unlock, 0).kind, HoldChange::Gives);
  EXPECT_EQ(hold_change(Op::Unlock, 1).kind, HoldChange::None) << "it was not the owner";
  EXPECT_TRUE(hold_change(Op::ReadLock, 0).shares);
  EXPECT_FALSE(hold_change(Op::WriteLock, 0).shares);
  EXPECT_TRUE(hold_change(Op::CondWait, 0).of_second);
  EXPECT_EQ(hold_change(Op::CondWake, 110).kind, HoldChange::None) << "Reacquire follows";
}

TEST(Traits, AJoinBranchesIfItAsksForTheResult) {
  EXPECT_TRUE(is_branching(Op::Join, 1));
  EXPECT_FALSE(is_branching(Op::Join, 0));
}

TEST(Traits, InitialObjectsSurviveTheirEvent) {
  const Object object{.owner = 3, .life = life::kDestroyed, .count = 7, .value = -2, .waiters = 0x5};
  Event event{};
  event.value = packed(object);
  event.operand = object.waiters;
  const Object back = initial_object(event);
  EXPECT_EQ(back.owner, object.owner);
  EXPECT_EQ(back.life, object.life);
  EXPECT_EQ(back.count, object.count);
  EXPECT_EQ(back.value, object.value);
  EXPECT_EQ(back.waiters, object.waiters);
}

}  // namespace
}  // namespace plait::machine
