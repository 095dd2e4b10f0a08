// Condition variables and barriers.
#include <errno.h>
#include <pthread.h>

#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {

int wait_on(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  timespec end = {};
  if (deadline) end = take(deadline);
  if (end.tv_nsec < 0 || end.tv_nsec >= 1000000000) return EINVAL;
  machine::Operation operation = operation_on(Op::CondWait, condition);
  operation.operand = reinterpret_cast<u64>(mutex);
  operation.object2 = object_at(operation.operand);
  synchronise(operation);
  operation.op = Op::CondWake;
  operation.detail = static_cast<u8>((deadline ? machine::wake_flag::kTimed : 0) |
                                     (process.session->options.spurious_wakeups ? machine::wake_flag::kSpurious : 0));
  const u64 result = synchronise(operation).value;
  if (result == 0) return 0;
  machine::Operation again = mutex_operation(Op::Reacquire, mutex);
  again.site = operation.site;
  synchronise(again);
  if (result != ETIMEDOUT) return 0;  // a spurious wake-up looks like any other
  pass(end);
  return ETIMEDOUT;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) noexcept {
  __builtin_memset(condition, 0, sizeof *condition);
  if (run.active) synchronise(operation_on(Op::CondInit, condition));
  return 0;
}
/// std::condition_variable's constructors, which the library has without calling pthread_cond_init; its destructor
/// calls pthread_cond_destroy.
void _ZNSt18condition_variableC1Ev(pthread_cond_t* condition) { pthread_cond_init(condition, nullptr); }
void _ZNSt18condition_variableC2Ev(pthread_cond_t* condition) { pthread_cond_init(condition, nullptr); }
int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!run.active) return 0;
  return static_cast<int>(synchronise(operation_on(Op::CondDestroy, condition)).value);
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) { return wait_on(condition, mutex, nullptr); }
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return wait_on(condition, mutex, deadline);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return wait_on(condition, mutex, deadline);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (run.active) synchronise(operation_on(Op::Signal, condition));
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (run.active) synchronise(operation_on(Op::Broadcast, condition));
  return 0;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) noexcept {
  if (count == 0 || count > kMaxThreads) return EINVAL;
  __builtin_memset(barrier, 0, sizeof *barrier);
  machine::Operation operation = operation_on(Op::BarrierInit, barrier);
  operation.operand = count;
  initialise(operation);
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  return static_cast<int>(synchronise(operation_on(Op::BarrierDestroy, barrier)).value);
}
int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  machine::Operation operation = operation_on(Op::BarrierArrive, barrier);
  if (synchronise(operation).value) return PTHREAD_BARRIER_SERIAL_THREAD;
  operation.op = Op::BarrierLeave;
  synchronise(operation);
  return 0;
}
}
