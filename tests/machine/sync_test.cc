// The semantics of synchronisation, operation by operation.
#include "machine/sync.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

namespace plait::machine {
namespace {

constexpr u32 kObject = 1, kMutex = 2, kHolds = 3;

class Sync : public ::testing::Test {
 protected:
  Operation op(Op what, u32 object = kObject) {
    Operation operation;
    operation.op = what;
    operation.object = object;
    operation.location = 0x1000 + object;
    return operation;
  }
  Operation mutex(Op what, MutexKind kind = MutexKind::Normal) {
    Operation operation = op(what);
    operation.detail = static_cast<u8>(kind);
    return operation;
  }
  Operation wait(Op what, u8 flags = 0) {
    Operation operation = op(what);
    operation.object2 = kMutex;
    operation.detail = flags;
    return operation;
  }
  Operation reader(Op what, ThreadId thread) {
    Operation operation = op(what);
    operation.object2 = kHolds + thread;
    return operation;
  }
  bool can(ThreadId thread, const Operation& operation) { return enabled(state_, thread, operation); }
  Outcome step(ThreadId thread, const Operation& operation, u16 arg = 0) {
    EXPECT_TRUE(can(thread, operation));
    return perform(state_, thread, operation, arg);
  }

  std::vector<Object> objects_ = std::vector<Object>(16);
  SyncState state_{objects_.data(), 0};
};

TEST_F(Sync, MutexExcludes) {
  EXPECT_EQ(step(1, mutex(Op::Lock)).value, 0u);
  EXPECT_FALSE(can(2, mutex(Op::Lock)));
  EXPECT_EQ(awaited(state_, 2, mutex(Op::Lock)), 1);
  EXPECT_EQ(step(2, mutex(Op::TryLock)).value, u64{EBUSY});
  EXPECT_EQ(step(2, mutex(Op::TimedLock)).value, u64{ETIMEDOUT});
  EXPECT_EQ(step(1, mutex(Op::Unlock)).value, 0u);
  EXPECT_EQ(step(2, mutex(Op::TimedLock)).value, 0u);
}

TEST_F(Sync, NormalMutexLockedTwiceBlocksItsOwner) {
  step(1, mutex(Op::Lock));
  EXPECT_FALSE(can(1, mutex(Op::Lock)));
  EXPECT_EQ(awaited(state_, 1, mutex(Op::Lock)), 1);
  EXPECT_EQ(step(1, mutex(Op::TryLock)).value, u64{EBUSY});
}

TEST_F(Sync, RecursiveMutexCounts) {
  const auto kind = MutexKind::Recursive;
  step(1, mutex(Op::Lock, kind));
  EXPECT_EQ(step(1, mutex(Op::Lock, kind)).value, 0u);
  EXPECT_EQ(step(1, mutex(Op::TryLock, kind)).value, 0u);
  for (int i = 0; i < 2; ++i) step(1, mutex(Op::Unlock, kind));
  EXPECT_FALSE(can(2, mutex(Op::Lock, kind)));
  step(1, mutex(Op::Unlock, kind));
  EXPECT_TRUE(can(2, mutex(Op::Lock, kind)));
  const Outcome outcome = step(2, mutex(Op::Unlock, kind));
  EXPECT_EQ(outcome.value, u64{EPERM});
  EXPECT_EQ(outcome.misuse, Misuse::None);
}

TEST_F(Sync, ErrorCheckingMutexReportsErrors) {
  const auto kind = MutexKind::ErrorCheck;
  step(1, mutex(Op::Lock, kind));
  EXPECT_EQ(step(1, mutex(Op::Lock, kind)).value, u64{EDEADLK});
  EXPECT_EQ(step(1, mutex(Op::TryLock, kind)).value, u64{EBUSY});
  EXPECT_EQ(step(2, mutex(Op::Unlock, kind)).value, u64{EPERM});
}

TEST_F(Sync, UnlockMisuse) {
  EXPECT_EQ(step(1, mutex(Op::Unlock)).misuse, Misuse::UnlockFree);
  step(1, mutex(Op::Lock));
  EXPECT_EQ(step(2, mutex(Op::Unlock)).misuse, Misuse::UnlockNotOwner);
  EXPECT_EQ(step(2, mutex(Op::MutexDestroy)).misuse, Misuse::DestroyHeld);
}

TEST_F(Sync, RwLockAdmitsReadersOrOneWriter) {
  step(1, reader(Op::ReadLock, 1));
  step(2, reader(Op::ReadLock, 2));
  EXPECT_FALSE(can(3, op(Op::WriteLock)));
  EXPECT_EQ(step(3, reader(Op::TryWriteLock, 3)).value, u64{EBUSY});
  step(1, reader(Op::RwUnlock, 1));
  EXPECT_FALSE(can(3, op(Op::WriteLock)));
  step(2, reader(Op::RwUnlock, 2));
  step(3, reader(Op::WriteLock, 3));
  EXPECT_FALSE(can(1, reader(Op::ReadLock, 1)));
  EXPECT_EQ(step(1, reader(Op::TryReadLock, 1)).value, u64{EBUSY});
  EXPECT_EQ(step(1, reader(Op::TimedReadLock, 1)).value, u64{ETIMEDOUT});
  EXPECT_EQ(step(3, reader(Op::ReadLock, 3)).value, u64{EDEADLK});
  EXPECT_EQ(step(1, reader(Op::RwUnlock, 1)).misuse, Misuse::UnlockNotOwner);
}

TEST_F(Sync, ReadLockIsCountedPerThread) {
  step(1, reader(Op::ReadLock, 1));
  step(1, reader(Op::ReadLock, 1));
  step(1, reader(Op::RwUnlock, 1));
  EXPECT_FALSE(can(2, op(Op::WriteLock)));
  step(1, reader(Op::RwUnlock, 1));
  EXPECT_TRUE(can(2, op(Op::WriteLock)));
}

TEST_F(Sync, SignalWakesTheChosenWaiter) {
  for (ThreadId t : {1, 2, 3}) {
    objects_[kMutex] = {.owner = t, .count = 1};
    step(t, wait(Op::CondWait));
    EXPECT_EQ(objects_[kMutex].owner, kNoThread);
    EXPECT_FALSE(can(t, wait(Op::CondWake)));
  }
  EXPECT_EQ(choices(state_, 4, op(Op::Signal)), bit(1) | bit(2) | bit(3));
  const Outcome outcome = step(4, op(Op::Signal), 2);
  EXPECT_EQ(outcome.arg, 2);
  EXPECT_TRUE(can(2, wait(Op::CondWake)));
  EXPECT_FALSE(can(1, wait(Op::CondWake)));
  objects_[kMutex].owner = 4;
  EXPECT_FALSE(can(2, wait(Op::CondWake)));  // woken, but the mutex is taken
  objects_[kMutex].owner = kNoThread;
  EXPECT_EQ(step(2, wait(Op::CondWake)).value, 0u);
  EXPECT_EQ(objects_[kMutex].owner, 2);
  step(4, op(Op::Broadcast));
  EXPECT_EQ(objects_[kObject].waiters, 0u);
}

TEST_F(Sync, AWaitGivesBackOneHoldOfARecursiveMutex) {
  objects_[kMutex] = {.owner = 1, .count = 2};
  step(1, wait(Op::CondWait));
  EXPECT_EQ(objects_[kMutex].owner, 1);
  EXPECT_EQ(objects_[kMutex].count, 1);
  step(2, op(Op::Signal));
  EXPECT_TRUE(can(1, wait(Op::CondWake)));
  step(1, wait(Op::CondWake));
  EXPECT_EQ(objects_[kMutex].count, 2);
}

TEST_F(Sync, SignalWithoutWaitersIsLost) {
  step(1, op(Op::Signal));
  objects_[kMutex] = {.owner = 2, .count = 1};
  step(2, wait(Op::CondWait));
  EXPECT_FALSE(can(2, wait(Op::CondWake)));
}

TEST_F(Sync, TimedWaitMayTimeOutThenTakesTheMutexAgain) {
  objects_[kMutex].owner = 1;
  step(1, wait(Op::CondWait));
  objects_[kMutex].owner = 2;  // the time-out itself does not need the mutex
  EXPECT_EQ(step(1, wait(Op::CondWake, wake_flag::kTimed)).value, u64{ETIMEDOUT});
  EXPECT_EQ(choices(state_, 2, op(Op::Signal)), 0u);
  EXPECT_FALSE(can(1, op(Op::Reacquire, kMutex)));
  objects_[kMutex].owner = kNoThread;
  step(1, op(Op::Reacquire, kMutex));
  EXPECT_EQ(objects_[kMutex].owner, 1);
}

TEST_F(Sync, SpuriousAndTimedWakeUpsAreAChoice) {
  objects_[kMutex].owner = 1;
  step(1, wait(Op::CondWait));
  const Operation both = wait(Op::CondWake, wake_flag::kTimed | wake_flag::kSpurious);
  EXPECT_EQ(choices(state_, 1, both), 0b11u);
  EXPECT_EQ(step(1, both, 1).value, u64{EINTR});
}

TEST_F(Sync, WaitWithoutTheMutexIsMisuse) { EXPECT_EQ(step(1, wait(Op::CondWait)).misuse, Misuse::WaitNotOwner); }

TEST_F(Sync, Semaphore) {
  Operation init = op(Op::SemInit);
  init.operand = 1;
  step(0, init);
  EXPECT_EQ(step(1, op(Op::SemWait)).value, 0u);
  EXPECT_FALSE(can(2, op(Op::SemWait)));
  EXPECT_EQ(step(2, op(Op::SemTryWait)).value, u64{EAGAIN});
  EXPECT_EQ(step(2, op(Op::SemTimedWait)).value, u64{ETIMEDOUT});
  step(1, op(Op::SemPost));
  EXPECT_EQ(step(2, op(Op::SemValue)).value, 1u);
  EXPECT_TRUE(can(2, op(Op::SemWait)));
}

TEST_F(Sync, BarrierReleasesAllAndCanBeReused) {
  Operation init = op(Op::BarrierInit);
  init.operand = 2;
  step(0, init);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(step(1, op(Op::BarrierArrive)).value, 0u);
    EXPECT_FALSE(can(1, op(Op::BarrierLeave)));
    EXPECT_EQ(step(2, op(Op::BarrierArrive)).value, 1u);
    EXPECT_TRUE(can(1, op(Op::BarrierLeave)));
  }
}

TEST_F(Sync, OnceRunsOnceAndOthersWait) {
  EXPECT_EQ(step(1, op(Op::OnceEnter)).value, 1u);
  EXPECT_FALSE(can(2, op(Op::OnceEnter)));
  Operation leave = op(Op::OnceLeave);
  leave.operand = 0;  // the initialiser threw
  step(1, leave);
  EXPECT_EQ(step(2, op(Op::OnceEnter)).value, 1u);
  leave.operand = 1;
  step(2, leave);
  EXPECT_EQ(step(1, op(Op::OnceEnter)).value, 0u);
}

TEST_F(Sync, Futex) {
  Operation wait_word = op(Op::FutexWait);
  wait_word.operand = 7;
  wait_word.extra = 8;
  EXPECT_EQ(step(1, wait_word).value, u64{EAGAIN});
  wait_word.extra = 7;
  for (ThreadId t : {1, 2, 3}) EXPECT_EQ(step(t, wait_word).value, 0u);
  EXPECT_FALSE(can(1, op(Op::FutexWake)));
  Operation notify = op(Op::FutexNotify);
  notify.operand = 1;
  EXPECT_EQ(choices(state_, 4, notify), bit(1) | bit(2) | bit(3));
  EXPECT_EQ(step(4, notify, 3).arg, 3);
  EXPECT_TRUE(can(3, op(Op::FutexWake)));
  notify.operand = 0x7fffffff;
  EXPECT_EQ(step(4, notify).value, 2u);
  Operation timed = op(Op::FutexWake);
  timed.detail = wake_flag::kTimed;
  EXPECT_EQ(step(1, wait_word).value, 0u);
  EXPECT_EQ(step(1, timed).value, u64{ETIMEDOUT});
}

TEST_F(Sync, JoinWaitsForTheEnd) {
  Operation join = op(Op::Join, 0);
  join.location = 5;
  EXPECT_FALSE(can(0, join));
  EXPECT_EQ(awaited(state_, 0, join), 5);
  state_.ended |= bit(5);
  EXPECT_TRUE(can(0, join));
}

}  // namespace
}  // namespace plait::machine
