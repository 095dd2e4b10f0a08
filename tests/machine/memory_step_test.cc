// The memory step: what loads return, which stores can leave their buffer, for models that exist and one that does not.
#include "machine/memory_step.h"

#include <gtest/gtest.h>

#include <vector>

namespace plait::machine {
namespace {

struct Buffer {
  std::vector<Waiting> stores;
  u32 size() const { return static_cast<u32>(stores.size()); }
  const Waiting& operator[](u32 i) const { return stores[i]; }
};

constexpr u64 kX = 0x100, kY = 0x200;
constexpr const MemoryRules &kSc = rules_of(MemoryModel::Sc), &kTso = rules_of(MemoryModel::Tso),
                            &kPso = rules_of(MemoryModel::Pso);

TEST(MemoryStep, EachModelHasItsRow) {
  for (u32 i = 0; i < sizeof kMemoryModels / sizeof kMemoryModels[0]; ++i) {
    EXPECT_EQ(kMemoryModels[i].name, static_cast<MemoryModel>(i));
    EXPECT_LE(kMemoryModels[i].room, kMostBuffered);
  }
}

TEST(MemoryStep, StoresLeaveInOrder) {
  const Buffer buffer{{{kX, 1, 4, false}, {kY, 2, 4, false}}};
  EXPECT_EQ(flushable(kTso, buffer), 0b01u);
  EXPECT_EQ(flushable(kPso, buffer), 0b11u);
  EXPECT_EQ(flushable(kPso, Buffer{}), 0u);
  EXPECT_EQ(flushable(kTso, Buffer{}), 0u);
}

TEST(MemoryStep, OverlapsAndBarriersKeepTheOrder) {
  EXPECT_EQ(flushable(kPso, Buffer{{{kX, 1, 4, false}, {kX + 3, 2, 4, false}, {kY, 3, 4, false}}}), 0b101u);
  EXPECT_EQ(flushable(kPso, Buffer{{{kX, 1, 4, false}, {kY, 2, 4, true}, {kY + 8, 3, 4, false}}}), 0b001u);
  EXPECT_EQ(flushable(kPso, Buffer{{{kX, 1, 4, false}, {kX + 4, 2, 4, false}, {kY, 3, 4, true}}}), 0b011u);
}

TEST(MemoryStep, LoadsTakeTheNewestOwnBytes) {
  const Buffer buffer{{{kX, 0x11111111, 4, false}, {kX + 2, 0x2222, 2, false}, {kX + 1, 0x33, 1, false}}};
  EXPECT_TRUE(load(buffer, kX, 4, u128{0}) == 0x22223311u);
  EXPECT_TRUE(load(buffer, kX, 8, u128{0xaabbccdd00000000}) == 0xaabbccdd22223311u);
  EXPECT_TRUE(load(buffer, kX + 3, 2, u128{0x9900}) == 0x9922u);
  EXPECT_TRUE(load(buffer, kX - 2, 4, u128{0x0000abcd}) == 0x3311abcdu);
  EXPECT_TRUE(load(buffer, kY, 4, u128{7}) == 7u);
  EXPECT_TRUE(is_forwarded(buffer, kX + 3, 4));
  EXPECT_FALSE(is_forwarded(buffer, kX + 4, 4));
  const u128 wide = u128{5} << 64 | 6;
  EXPECT_TRUE(load(Buffer{{{kX, wide, 16, false}}}, kX, 16, u128{0}) == wide);
  EXPECT_TRUE(load(Buffer{{{kX, wide, 16, false}}}, kX + 8, 8, u128{0}) == 5u);
  EXPECT_TRUE(load(Buffer{{{kX, wide, 0, false}}}, kX, 16, u128{9}) == 9u);  // it has left
}

TEST(MemoryStep, WhatOperationsLeave) {
  u128 value = 0;
  EXPECT_FALSE(written(Operation{.op = Op::Load, .size = 4}, 1, 2, 0, value));
  EXPECT_TRUE(written(Operation{.op = Op::Store, .size = 4}, 1, 2, 0, value) && value == 2);
  EXPECT_TRUE(written(Operation{.op = Op::Cas, .size = 4}, 1, 2, 1, value) && value == 2);
  EXPECT_FALSE(written(Operation{.op = Op::Cas, .size = 4}, 1, 2, 3, value));
  const Operation add{.op = Op::Rmw, .size = 1, .detail = static_cast<u8>(RmwKind::Add)};
  EXPECT_TRUE(written(add, 0xff, 2, 0, value) && value == 1);
}

TEST(MemoryStep, WhoActs) {
  EXPECT_FALSE(kSc.is_buffer(40));
  EXPECT_TRUE(kTso.is_buffer(40));
  EXPECT_EQ(kSc.owner(40), 40);
  EXPECT_EQ(kPso.owner(40), 8);
  EXPECT_EQ(kSc.actors_of(3), bit(3));
  EXPECT_EQ(kTso.actors_of(3), bit(3) | bit(buffer_of(3)));
  EXPECT_FALSE(kSc.drains(Op::Lock, Order::Plain));
  EXPECT_TRUE(kTso.drains(Op::Lock, Order::Plain));
  EXPECT_FALSE(kTso.is_barrier(Op::Store, Order::Release));
  EXPECT_TRUE(kPso.is_barrier(Op::Store, Order::Release));
}

}  // namespace
}  // namespace plait::machine
