// Reader-writer locks.
#include <errno.h>
#include <pthread.h>

#include "runtime/interpose.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

int rw(Op op, pthread_rwlock_t* lock) {
  if (!run.active) return 0;
  machine::Operation operation = operation_on(op, lock);
  operation.object = object_at(operation.location);
  operation.object2 = object_at(operation.location, run.current->id + 1u);  // this thread's own holds
  return static_cast<int>(synchronise(operation).value);
}

int timed(Op op, pthread_rwlock_t* lock, const timespec* deadline) {
  const timespec end = take(deadline);
  if (end.tv_nsec < 0 || end.tv_nsec >= 1000000000) return EINVAL;
  const int result = rw(op, lock);
  if (result == ETIMEDOUT) pass(end);
  return result;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) noexcept {
  __builtin_memset(lock, 0, sizeof *lock);
  return rw(Op::RwInit, lock);
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept { return rw(Op::RwDestroy, lock); }
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept { return rw(Op::ReadLock, lock); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept { return rw(Op::WriteLock, lock); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept { return rw(Op::TryReadLock, lock); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept { return rw(Op::TryWriteLock, lock); }
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept { return rw(Op::RwUnlock, lock); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return timed(Op::TimedReadLock, lock, deadline);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return timed(Op::TimedWriteLock, lock, deadline);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) noexcept {
  return timed(Op::TimedReadLock, lock, deadline);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) noexcept {
  return timed(Op::TimedWriteLock, lock, deadline);
}
}
