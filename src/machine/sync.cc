#include "machine/sync.h"

#include <errno.h>

namespace plait::machine {
namespace {

MutexKind kind_of(const Operation& operation) { return static_cast<MutexKind>(operation.detail); }

bool may_relock(MutexKind kind) { return kind == MutexKind::Recursive || kind == MutexKind::ErrorCheck; }

void acquire(Object& mutex, ThreadId thread) {
  mutex.owner = thread;
  mutex.count = 1;
}

void release(Object& mutex) {
  mutex.owner = kNoThread;
  mutex.count = 0;
}

/// The end of a wait. Where the thread had locked a recursive mutex several times, the wait has given back one.
void take_back(Object& mutex, ThreadId thread) {
  mutex.owner = thread;
  ++mutex.count;
}
bool can_take_back(const Object& mutex, ThreadId thread) { return mutex.owner == kNoThread || mutex.owner == thread; }

/// Lock, TryLock and TimedLock differ only in what they return when the mutex is taken by another thread.
u64 lock(Object& mutex, ThreadId thread, MutexKind kind, u64 when_taken) {
  if (mutex.owner == kNoThread) {
    acquire(mutex, thread);
    return 0;
  }
  if (mutex.owner != thread) return when_taken;
  if (kind == MutexKind::Recursive) {
    if (mutex.count == UINT16_MAX) return EAGAIN;
    ++mutex.count;
    return 0;
  }
  if (kind == MutexKind::ErrorCheck && when_taken != EBUSY) return EDEADLK;
  return when_taken;
}

void unlock(Object& mutex, ThreadId thread, MutexKind kind, Outcome& outcome) {
  if (mutex.owner == thread) {
    if (--mutex.count == 0) release(mutex);
    return;
  }
  outcome.value = EPERM;
  if (!may_relock(kind)) outcome.misuse = mutex.owner == kNoThread ? Misuse::UnlockFree : Misuse::UnlockNotOwner;
}

u64 read_lock(Object& lock, Object& holds, ThreadId thread, u64 when_taken) {
  if (lock.owner == thread) return when_taken == EBUSY ? EBUSY : EDEADLK;
  if (lock.owner != kNoThread) return when_taken;
  lock.waiters |= bit(thread);
  ++holds.count;
  return 0;
}

u64 write_lock(Object& lock, ThreadId thread, u64 when_taken) {
  if (lock.owner == thread) return when_taken == EBUSY ? EBUSY : EDEADLK;
  if (lock.owner != kNoThread || lock.waiters != 0) return when_taken;
  acquire(lock, thread);
  return 0;
}

void rw_unlock(Object& lock, Object& holds, ThreadId thread, Outcome& outcome) {
  if (lock.owner == thread) {
    release(lock);
  } else if (lock.waiters & bit(thread)) {
    if (--holds.count == 0) lock.waiters &= ~bit(thread);
  } else {
    outcome.value = EPERM;
    outcome.misuse = lock.owner == kNoThread && lock.waiters == 0 ? Misuse::UnlockFree : Misuse::UnlockNotOwner;
  }
}

u16 choose(ThreadSet possible, u16 wanted) {
  return wanted < kMaxThreads && (possible & bit(static_cast<ThreadId>(wanted))) ? wanted : lowest(possible);
}

/// Wakes up to `most` waiters. One of several: `arg` says which. More than one but not all: the lowest numbers
/// (libstdc++ and glibc only ever ask for one or all).
void wake(Object& object, u64 most, u16 arg, Outcome& outcome) {
  const unsigned waiting = count(object.waiters);
  if (waiting == 0 || most == 0) return;
  if (most >= waiting) {
    outcome.value = waiting;
    object.waiters = 0;
    return;
  }
  outcome.value = most;
  if (most == 1) {
    outcome.choices = object.waiters;
    outcome.arg = choose(object.waiters, arg);
    object.waiters &= ~bit(static_cast<ThreadId>(outcome.arg));
    return;
  }
  for (; most > 0; --most) object.waiters &= object.waiters - 1;
}

bool choose_of_wakeups(const Object& object, ThreadId thread, const Operation& operation) {
  return (object.waiters & bit(thread)) && operation.detail == (wake_flag::kTimed | wake_flag::kSpurious);
}

void cond_wake(Object& condition, Object& mutex, ThreadId thread, const Operation& operation, u16 arg,
               Outcome& outcome) {
  if (!(condition.waiters & bit(thread))) {
    take_back(mutex, thread);
    return;
  }
  bool timed_out = (operation.detail & wake_flag::kTimed) != 0;
  if (choose_of_wakeups(condition, thread, operation)) {
    outcome.choices = 0b11;
    outcome.arg = choose(outcome.choices, arg);
    timed_out = outcome.arg == 0;
  }
  condition.waiters &= ~bit(thread);
  outcome.value = timed_out ? ETIMEDOUT : EINTR;
}

}  // namespace

const char* describe(Misuse misuse) {
  switch (misuse) {
    case Misuse::None: return "";
    case Misuse::UnlockNotOwner: return "unlocks a lock that another thread holds";
    case Misuse::UnlockFree: return "unlocks a lock that nobody holds";
    case Misuse::DestroyHeld: return "destroys a lock that is held";
    case Misuse::DestroyWaiters: return "destroys an object that threads wait for";
    case Misuse::WaitNotOwner: return "waits on a condition variable without holding the mutex";
    case Misuse::UseDestroyed: return "uses an object for synchronisation that was destroyed";
    case Misuse::UseFreed: return "uses an object for synchronisation whose memory was freed";
    case Misuse::PostOverflow: return "posts a semaphore beyond its largest value";
  }
  return "";
}

Misuse use_of_dead(const SyncState& state, const Operation& operation) {
  const Object& object = state.objects[operation.object];
  const auto misuse = [](u8 dead) {
    return dead & life::kFreed ? Misuse::UseFreed : dead ? Misuse::UseDestroyed : Misuse::None;
  };
  switch (operation.op) {
    case Op::Join:
    case Op::FutexWake: return Misuse::None;  // the last of a wait does not look at the word
    case Op::FutexNotify: return operation.detail == kInnerNotify ? Misuse::None : misuse(object.life);
    case Op::MutexInit:
    case Op::RwInit:
    case Op::CondInit:
    case Op::SemInit:
    case Op::BarrierInit: return misuse(object.life & life::kFreed);
    case Op::BarrierLeave: return misuse(object.life & life::kDestroyed ? 0 : object.life);
    case Op::CondWait:
    case Op::CondWake:
      if (object.life == life::kFreed || (object.life && operation.op == Op::CondWait)) return misuse(object.life);
      return misuse(state.objects[operation.object2].life);
    default: return misuse(object.life);
  }
}

bool enabled(const SyncState& state, ThreadId thread, const Operation& operation) {
  const Object& object = state.objects[operation.object];
  if ((object.life || state.objects[operation.object2].life) && use_of_dead(state, operation) != Misuse::None)
    return true;
  switch (operation.op) {
    case Op::Join: return (state.ended & bit(static_cast<ThreadId>(operation.location))) != 0;
    case Op::Lock: return object.owner == kNoThread || (object.owner == thread && may_relock(kind_of(operation)));
    case Op::Reacquire: return can_take_back(object, thread);
    case Op::ReadLock: return object.owner == kNoThread || object.owner == thread;
    case Op::WriteLock: return object.owner == thread || (object.owner == kNoThread && object.waiters == 0);
    case Op::CondWake:
      return (object.waiters & bit(thread)) ? operation.detail != 0
                                            : can_take_back(state.objects[operation.object2], thread);
    case Op::SemWait: return object.value > 0;
    case Op::BarrierLeave: return (object.waiters & bit(thread)) == 0;
    case Op::OnceEnter: return object.value != 1;
    case Op::FutexWake: return (object.waiters & bit(thread)) == 0 || operation.detail != 0;
    default: return true;
  }
}

ThreadSet choices(const SyncState& state, ThreadId thread, const Operation& operation) {
  const Object& object = state.objects[operation.object];
  switch (operation.op) {
    case Op::Signal: return count(object.waiters) > 1 ? object.waiters : 0;
    case Op::FutexNotify: return operation.operand == 1 && count(object.waiters) > 1 ? object.waiters : 0;
    case Op::CondWake: return choose_of_wakeups(object, thread, operation) ? 0b11 : 0;
    default: return 0;
  }
}

Outcome perform(SyncState& state, ThreadId thread, const Operation& operation, u16 arg) {
  Outcome outcome;
  Object& object = state.objects[operation.object];
  Object& second = state.objects[operation.object2];
  if (object.life || second.life) {
    outcome.misuse = use_of_dead(state, operation);
    if (outcome.misuse != Misuse::None) return outcome;
  }
  switch (operation.op) {
    case Op::Lock:
    case Op::TimedLock: outcome.value = lock(object, thread, kind_of(operation), ETIMEDOUT); break;
    case Op::TryLock: outcome.value = lock(object, thread, kind_of(operation), EBUSY); break;
    case Op::Unlock: unlock(object, thread, kind_of(operation), outcome); break;
    case Op::Reacquire: take_back(object, thread); break;
    case Op::MutexInit:
    case Op::RwInit:
    case Op::CondInit: object = Object{}; break;
    case Op::MutexDestroy:
      if (object.owner != kNoThread) outcome = {.value = EBUSY, .misuse = Misuse::DestroyHeld};
      object.life |= life::kDestroyed;
      break;
    case Op::RwDestroy:
      if (object.owner != kNoThread || object.waiters) outcome = {.value = EBUSY, .misuse = Misuse::DestroyHeld};
      object.life |= life::kDestroyed;
      break;
    case Op::ReadLock:
    case Op::TimedReadLock: outcome.value = read_lock(object, second, thread, ETIMEDOUT); break;
    case Op::TryReadLock: outcome.value = read_lock(object, second, thread, EBUSY); break;
    case Op::WriteLock:
    case Op::TimedWriteLock: outcome.value = write_lock(object, thread, ETIMEDOUT); break;
    case Op::TryWriteLock: outcome.value = write_lock(object, thread, EBUSY); break;
    case Op::RwUnlock: rw_unlock(object, second, thread, outcome); break;
    case Op::CondWait:
      if (second.owner != thread) {
        outcome = {.value = EPERM, .misuse = Misuse::WaitNotOwner};
        break;
      }
      if (--second.count == 0) release(second);  // a recursive mutex may stay locked
      object.waiters |= bit(thread);
      break;
    case Op::CondWake: cond_wake(object, second, thread, operation, arg, outcome); break;
    case Op::Signal:
      wake(object, 1, arg, outcome);
      outcome.value = 0;
      break;
    case Op::Broadcast: object.waiters = 0; break;
    case Op::CondDestroy:
    case Op::BarrierDestroy:
      if (object.waiters) outcome = {.value = EBUSY, .misuse = Misuse::DestroyWaiters};
      object.life |= life::kDestroyed;
      break;
    case Op::SemInit:
      object = Object{};
      object.value = static_cast<i32>(operation.operand);
      break;
    case Op::SemDestroy: object.life |= life::kDestroyed; break;
    case Op::SemWait:
    case Op::SemTryWait:
    case Op::SemTimedWait:
      if (object.value > 0)
        --object.value;
      else
        outcome.value = operation.op == Op::SemTryWait ? EAGAIN : ETIMEDOUT;
      break;
    case Op::SemPost:
      if (object.value == INT32_MAX)
        outcome = {.value = EOVERFLOW, .misuse = Misuse::PostOverflow};
      else
        ++object.value;
      break;
    case Op::SemValue: outcome.value = static_cast<u64>(object.value); break;
    case Op::BarrierInit:
      object = Object{};
      object.count = static_cast<u16>(operation.operand);
      break;
    case Op::BarrierArrive:
      object.waiters |= bit(thread);
      if (count(object.waiters) >= object.count) {
        object.waiters = 0;
        outcome.value = 1;  // this one is the "serial" thread
      }
      break;
    case Op::OnceEnter:
      if (object.value == 0) {
        object.value = 1;
        object.owner = thread;
        outcome.value = 1;
      }
      break;
    case Op::OnceLeave:
      object.value = operation.operand ? 2 : 0;
      object.owner = kNoThread;
      break;
    case Op::FutexWait:
      if (static_cast<u32>(operation.extra) != static_cast<u32>(operation.operand))
        outcome.value = EAGAIN;
      else
        object.waiters |= bit(thread);
      break;
    case Op::FutexWake:
      if (object.waiters & bit(thread)) {
        object.waiters &= ~bit(thread);
        outcome.value = ETIMEDOUT;
      }
      break;
    case Op::FutexNotify: wake(object, operation.operand, arg, outcome); break;
    default: break;  // memory operations and steps without an object: the caller performs them
  }
  return outcome;
}

ThreadId awaited(const SyncState& state, ThreadId thread, const Operation& operation) {
  const Object& object = state.objects[operation.object];
  switch (operation.op) {
    case Op::Join: return static_cast<ThreadId>(operation.location);
    // A lock may be dead by the time somebody asks: who was in a circle before that, still is.
    case Op::Lock: return object.owner == thread && may_relock(kind_of(operation)) ? kNoThread : object.owner;
    case Op::ReadLock: return object.owner == thread ? kNoThread : object.owner;
    case Op::Reacquire:
    case Op::OnceEnter: return object.owner;
    case Op::WriteLock:
      if (object.owner != kNoThread) return object.owner;
      if (object.waiters & bit(thread)) return thread;  // it reads itself, whoever else does
      return count(object.waiters) == 1 ? lowest(object.waiters) : kNoThread;
    case Op::CondWake:
      return (object.waiters & bit(thread)) || state.objects[operation.object2].owner == thread
                 ? kNoThread
                 : state.objects[operation.object2].owner;
    default: return kNoThread;
  }
}

}  // namespace plait::machine
