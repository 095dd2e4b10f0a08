// Mutexes and spin locks. Their state is the machine's; the program's pthread_mutex_t only says of which type it is.
#include <errno.h>
#include <pthread.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

machine::MutexKind kind_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE: return machine::MutexKind::Recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return machine::MutexKind::ErrorCheck;
    default: return machine::MutexKind::Normal;
  }
}

int spin(Op op, const volatile pthread_spinlock_t* lock) {
  machine::Operation operation = operation_on(op, const_cast<const int*>(lock));
  operation.detail = static_cast<u8>(machine::MutexKind::Spin);
  return static_cast<int>(synchronise(operation).value);
}

int timed_lock(pthread_mutex_t* mutex, const timespec* deadline) {
  const timespec end = take(deadline);
  if (end.tv_nsec < 0 || end.tv_nsec >= 1000000000) return EINVAL;
  const int result = static_cast<int>(synchronise(mutex_operation(Op::TimedLock, mutex)).value);
  if (result == ETIMEDOUT) pass(end);
  return result;
}

}  // namespace

machine::Operation mutex_operation(Op op, const pthread_mutex_t* mutex) {
  constexpr int kRobust = 16;
  if (mutex && run.active && reinterpret_cast<u64>(mutex) > 65536 && (mutex->__data.__kind & kRobust))
    unsupported("a robust mutex");
  machine::Operation operation = operation_on(op, mutex);
  operation.detail = static_cast<u8>(kind_of(mutex));
  return operation;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  int type = PTHREAD_MUTEX_NORMAL, robust = PTHREAD_MUTEX_STALLED;
  if (attributes) {
    const pthread_mutexattr_t wanted = take(attributes);
    PLAIT_REAL(pthread_mutexattr_gettype)(&wanted, &type);
    PLAIT_REAL(pthread_mutexattr_getrobust)(&wanted, &robust);
  }
  if (robust != PTHREAD_MUTEX_STALLED) unsupported("a robust mutex");
  __builtin_memset(mutex, 0, sizeof *mutex);
  mutex->__data.__kind = type;
  if (run.active) synchronise(mutex_operation(Op::MutexInit, mutex));
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!run.active) return 0;
  return static_cast<int>(synchronise(mutex_operation(Op::MutexDestroy, mutex)).value);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!run.active) return 0;
  return static_cast<int>(synchronise(mutex_operation(Op::Lock, mutex)).value);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!run.active) return 0;
  return static_cast<int>(synchronise(mutex_operation(Op::TryLock, mutex)).value);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!run.active) return 0;
  return static_cast<int>(synchronise(mutex_operation(Op::Unlock, mutex)).value);
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return timed_lock(mutex, deadline);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t, const timespec* deadline) noexcept {
  return timed_lock(mutex, deadline);
}
int pthread_mutex_consistent(pthread_mutex_t*) noexcept { return EINVAL; }

int pthread_spin_init(pthread_spinlock_t* lock, int) noexcept {
  const_cast<int&>(*lock) = 1;
  return run.active ? spin(Op::MutexInit, lock) : 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept { return run.active ? spin(Op::MutexDestroy, lock) : 0; }
int pthread_spin_lock(pthread_spinlock_t* lock) noexcept { return run.active ? spin(Op::Lock, lock) : 0; }
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept { return run.active ? spin(Op::TryLock, lock) : 0; }
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept { return run.active ? spin(Op::Unlock, lock) : 0; }
}
