// Who am I: numbers of the process and its threads, the same in every worker; the processor; scheduling by thread
// number.
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"
#include "runtime/thread_state.h"

namespace plait::runtime {
namespace {

/// As the kernel has it: 0 is the calling thread, the first thread has the process's number.
Fiber* fiber_of_number(pid_t number) {
  if (number == 0) return run.current;
  const pid_t id = number - kProcessNumber;
  return id >= 0 && id < static_cast<pid_t>(kMaxThreads) && fibers[id].exists ? &fibers[id] : nullptr;
}

int to_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

u64 handle(const Fiber* fiber) { return fiber ? handle_of(*fiber) : 0; }

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

pid_t getpid() noexcept { return run.active ? kProcessNumber : PLAIT_REAL(getpid)(); }
pid_t getppid() noexcept { return run.active ? kProcessNumber - 1 : PLAIT_REAL(getppid)(); }
pid_t gettid() noexcept { return run.active ? kProcessNumber + run.current->id : PLAIT_REAL(gettid)(); }

int sched_getcpu() noexcept { return run.active ? 0 : PLAIT_REAL(sched_getcpu)(); }
int getcpu(unsigned* processor, unsigned* node) noexcept {
  give(processor, 0u);
  give(node, 0u);
  return 0;
}

int sched_getaffinity(pid_t number, size_t size, cpu_set_t* processors) noexcept {
  if (!run.active) return PLAIT_REAL(sched_getaffinity)(number, size, processors);
  return to_errno(pthread_getaffinity_np(handle(fiber_of_number(number)), size, processors));
}
int sched_setaffinity(pid_t number, size_t size, const cpu_set_t* processors) noexcept {
  if (!run.active) return PLAIT_REAL(sched_setaffinity)(number, size, processors);
  return to_errno(pthread_setaffinity_np(handle(fiber_of_number(number)), size, processors));
}
int sched_getparam(pid_t number, sched_param* parameters) noexcept {
  if (!run.active) return PLAIT_REAL(sched_getparam)(number, parameters);
  int policy;
  return to_errno(pthread_getschedparam(handle(fiber_of_number(number)), &policy, parameters));
}
int sched_setparam(pid_t number, const sched_param* parameters) noexcept {
  if (!run.active) return PLAIT_REAL(sched_setparam)(number, parameters);
  return to_errno(pthread_setschedprio(handle(fiber_of_number(number)), take(parameters).sched_priority));
}
int sched_getscheduler(pid_t number) noexcept {
  if (!run.active) return PLAIT_REAL(sched_getscheduler)(number);
  const Fiber* fiber = fiber_of_number(number);
  return fiber ? scheduling_policy(*fiber) : to_errno(ESRCH);
}
int sched_setscheduler(pid_t number, int policy, const sched_param* parameters) noexcept {
  if (!run.active) return PLAIT_REAL(sched_setscheduler)(number, policy, parameters);
  return to_errno(pthread_setschedparam(handle(fiber_of_number(number)), policy, parameters));
}
int sched_rr_get_interval(pid_t number, timespec* interval) noexcept {
  if (!run.active) return PLAIT_REAL(sched_rr_get_interval)(number, interval);
  if (!fiber_of_number(number)) return to_errno(ESRCH);
  give(interval, timespec{0, 100000000});
  return 0;
}
}
