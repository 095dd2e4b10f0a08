// POSIX semaphores. These report errors through errno.
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

int semaphore(Op op, sem_t* object) {
  const u64 result = synchronise(operation_on(op, object)).value;
  if (result == 0) return 0;
  errno = static_cast<int>(result);
  return -1;
}

int timed_wait(sem_t* object, const timespec* deadline) {
  const timespec end = take(deadline);
  if (end.tv_nsec < 0 || end.tv_nsec >= 1000000000) {
    errno = EINVAL;
    return -1;
  }
  const int result = semaphore(Op::SemTimedWait, object);
  if (result != 0) pass(end);
  return result;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int sem_init(sem_t* object, int, unsigned value) noexcept {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  __builtin_memset(object, 0, sizeof *object);
  machine::Operation operation = operation_on(Op::SemInit, object);
  operation.operand = value;
  initialise(operation);
  return 0;
}
int sem_destroy(sem_t* object) noexcept { return semaphore(Op::SemDestroy, object); }
int sem_wait(sem_t* object) { return semaphore(Op::SemWait, object); }
int sem_trywait(sem_t* object) noexcept { return semaphore(Op::SemTryWait, object); }
int sem_timedwait(sem_t* object, const timespec* deadline) { return timed_wait(object, deadline); }
int sem_clockwait(sem_t* object, clockid_t, const timespec* deadline) { return timed_wait(object, deadline); }
int sem_post(sem_t* object) noexcept { return semaphore(Op::SemPost, object); }
int sem_getvalue(sem_t* object, int* value) noexcept {
  const machine::Operation operation = operation_on(Op::SemValue, object);
  give(value, static_cast<int>(synchronise(operation).value), operation.site);
  return 0;
}
sem_t* sem_open(const char*, int, ...) { unsupported("sem_open (a semaphore between processes)"); }
}
