#include "machine/dependence.h"

#include <gtest/gtest.h>

namespace plait::machine {
namespace {

Operation memory(Op op, u64 location, u8 size) {
  Operation operation;
  operation.op = op;
  operation.location = location;
  operation.size = size;
  return operation;
}

Operation sync(Op op, u32 object, u32 object2 = 0) {
  Operation operation;
  operation.op = op;
  operation.object = object;
  operation.object2 = object2;
  operation.location = 0x9000 + object;
  return operation;
}

TEST(Dependence, OverlappingAccessesWithAWrite) {
  EXPECT_FALSE(dependent(memory(Op::Load, 100, 4), memory(Op::Load, 100, 4)));
  EXPECT_TRUE(dependent(memory(Op::Load, 100, 4), memory(Op::Store, 103, 1)));
  EXPECT_FALSE(dependent(memory(Op::Load, 100, 4), memory(Op::Store, 104, 4)));
  EXPECT_TRUE(dependent(memory(Op::Rmw, 100, 8), memory(Op::Cas, 104, 4)));
  Operation unseen = memory(Op::Load, 100, 4);
  unseen.unseen = true;  // code that nobody sees runs behind it
  EXPECT_TRUE(dependent(unseen, memory(Op::Load, 200, 4)));
  EXPECT_TRUE(dependent(memory(Op::Load, 200, 4), unseen));
  Operation free = memory(Op::Free, 64, 0);
  free.span = 64;
  EXPECT_TRUE(dependent(free, memory(Op::Load, 127, 1)));
  EXPECT_FALSE(dependent(free, memory(Op::Load, 128, 1)));
}

TEST(Dependence, SameObject) {
  EXPECT_TRUE(dependent(sync(Op::Lock, 1), sync(Op::Unlock, 1)));
  EXPECT_FALSE(dependent(sync(Op::Lock, 1), sync(Op::Lock, 2)));
  EXPECT_TRUE(dependent(sync(Op::CondWait, 1, 2), sync(Op::Lock, 2)));
  EXPECT_TRUE(dependent(sync(Op::Lock, 2), sync(Op::CondWake, 1, 2)));
  EXPECT_FALSE(dependent(sync(Op::ReadLock, 1, 5), sync(Op::ReadLock, 1, 6)));
  EXPECT_TRUE(dependent(sync(Op::ReadLock, 1, 5), sync(Op::WriteLock, 1)));
}

TEST(Dependence, FutexWaitReadsItsWord) {
  Operation wait = memory(Op::FutexWait, 100, 4);
  wait.object = 1;
  EXPECT_TRUE(dependent(wait, memory(Op::Store, 100, 4)));
  EXPECT_FALSE(dependent(wait, memory(Op::Load, 100, 4)));
}

TEST(Dependence, WhatConcernsEverybody) {
  EXPECT_TRUE(dependent(memory(Op::Exit, 0, 0), memory(Op::Load, 1, 1)));
  EXPECT_TRUE(dependent(memory(Op::AtomicBegin, 0, 0), memory(Op::Load, 1, 1)));
  EXPECT_TRUE(dependent(memory(Op::Output, 1, 0), memory(Op::Output, 1, 0)));
  EXPECT_FALSE(dependent(memory(Op::Output, 1, 0), memory(Op::Load, 1, 1)));
  EXPECT_FALSE(dependent(memory(Op::Fence, 0, 0), memory(Op::Store, 1, 1)));
}

TEST(Dependence, AThreadDoesNotNoticeItsOwnFlushes) {
  const Operation load = memory(Op::Load, 100, 4), flush = memory(Op::Flush, 100, 4);
  EXPECT_FALSE(dependent(1, load, buffer_of(1), flush));
  EXPECT_FALSE(dependent(buffer_of(1), flush, 1, load));
  EXPECT_TRUE(dependent(2, load, buffer_of(1), flush));
  EXPECT_TRUE(dependent(buffer_of(2), flush, buffer_of(1), flush));
  // Under SC that number is another thread.
  EXPECT_TRUE(dependent(1, load, buffer_of(1), memory(Op::Store, 100, 4)));
}

}  // namespace
}  // namespace plait::machine
