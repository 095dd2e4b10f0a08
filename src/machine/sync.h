// Synchronisation objects: their state, when an operation on them is enabled, and what it does.
//
// A blocking call of a library is a sequence of operations, each of which happens at once when it is enabled:
//   pthread_cond_wait     CondWait (release, join the waiters) · CondWake (enabled when woken and the mutex is free)
//   pthread_cond_timedwait  the same, but CondWake is also enabled before it was woken: it is then the time-out, and
//                         Reacquire follows. Spurious wake-ups work likewise.
//   pthread_barrier_wait  BarrierArrive · BarrierLeave
//   futex wait            FutexWait · FutexWake
// Timed locks are always enabled: they time out exactly when the lock is not available (POSIX forbids it otherwise).
#pragma once
#include "machine/operation.h"

namespace plait::machine {

namespace life {
inline constexpr u8 kDestroyed = 1;  // by its destroy function
inline constexpr u8 kFreed = 2;      // its memory is gone
}  // namespace life

/// 16 bytes; all zero but `owner` is the state of a fresh object. Which fields mean something depends on the object.
struct Object {
  ThreadId owner = kNoThread;  // mutex, write lock, running once
  u8 life = 0;                 // 0: alive
  u16 count = 0;               // mutex: holds of the owner; barrier: how many must arrive; a reader's holds
  i32 value = 0;               // semaphore; once: 0 new, 1 running, 2 done
  ThreadSet waiters = 0;       // condition, futex, barrier: who waits; rwlock: who reads
};
static_assert(sizeof(Object) == 16);

/// What Op::Initial tells of an object.
constexpr u64 packed(const Object& object) {
  return object.owner | static_cast<u64>(object.life) << 8 | static_cast<u64>(object.count) << 16 |
         static_cast<u64>(static_cast<u32>(object.value)) << 32;
}
constexpr Object initial_object(const Event& event) {
  return {.owner = static_cast<ThreadId>(event.value),
          .life = static_cast<u8>(event.value >> 8),
          .count = static_cast<u16>(event.value >> 16),
          .value = static_cast<i32>(event.value >> 32),
          .waiters = event.operand};
}

/// The part of the state that synchronisation needs, owned by the caller.
struct SyncState {
  Object* objects;
  ThreadSet ended;  // threads that have ended
};

enum class Misuse : u8 {
  None,
  UnlockNotOwner,
  UnlockFree,
  DestroyHeld,
  DestroyWaiters,
  WaitNotOwner,
  PostOverflow,
  UseDestroyed,
  UseFreed
};

/// What to tell the user about a misuse.
const char* describe(Misuse misuse);

struct Outcome {
  u64 value = 0;          // result of the operation, errno-style where the library call has one
  ThreadSet choices = 0;  // args that were possible; 0: no choice
  u16 arg = 0;            // the one taken
  Misuse misuse = Misuse::None;
};

/// Does the operation use an object that lives no longer? Whoever was woken, or has been released from a barrier, has
/// left the object: its destroy function waits for that.
Misuse use_of_dead(const SyncState& state, const Operation& operation);

/// Can `thread` perform `operation` now? What uses a dead object can: it fails.
bool enabled(const SyncState& state, ThreadId thread, const Operation& operation);

/// The args that `operation` can take now (bit a: arg a is possible); 0 when there is nothing to choose.
ThreadSet choices(const SyncState& state, ThreadId thread, const Operation& operation);

/// Performs an enabled operation. An arg that is not possible stands for the lowest one that is.
Outcome perform(SyncState& state, ThreadId thread, const Operation& operation, u16 arg);

/// Whom a blocked thread waits for: the owner of the lock, or the thread to be joined; kNoThread if nobody in
/// particular.
ThreadId awaited(const SyncState& state, ThreadId thread, const Operation& operation);

}  // namespace plait::machine
