// syscall(): futexes, which libstdc++ uses for atomic wait, latch, barrier, semaphore and future; a few harmless
// others; the rest is refused.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

long fail_with(u64 error) {
  errno = static_cast<int>(error);
  return -1;
}

enum class Timeout { None, Relative, Absolute };

long futex_wait(u32* word, u32 expected, Timeout timeout, const timespec& end) {
  machine::Operation operation = operation_on(Op::FutexWait, word);
  operation.operand = expected;
  operation.size = 4;
  if (const u64 error = synchronise(operation).value) return fail_with(error);
  operation.op = Op::FutexWake;
  operation.size = 0;
  operation.detail = timeout != Timeout::None ? machine::wake_flag::kTimed : 0;
  if (const u64 error = synchronise(operation).value) {
    if (timeout == Timeout::Relative) {
      run.current->clock += static_cast<u64>(end.tv_sec) * 1000000000 + static_cast<u64>(end.tv_nsec);
    } else {
      pass(end);
    }
    return fail_with(error);
  }
  return 0;
}

long futex_wait_until(u32* word, u32 expected, const timespec* timeout, bool relative) {
  if (!timeout) return futex_wait(word, expected, Timeout::None, {});
  return futex_wait(word, expected, relative ? Timeout::Relative : Timeout::Absolute, take(timeout));
}

long futex_wake(u32* word, u32 count) {
  machine::Operation operation = operation_on(Op::FutexNotify, word);
  operation.operand = count;
  operation.detail = run.current->inner_release ? machine::kInnerNotify : u8{0};
  return static_cast<long>(synchronise(operation).value);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" void __plait_inner_release(int begins) {
  if (run.active) run.current->inner_release = begins != 0;
}

// How libstdc++'s futures wait. The library's own function looks at a clock after it was woken, and waits again.
extern "C" bool
_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void* self, u32* word, u32 expected, bool timed, time_t seconds, long nanoseconds) {
  if (!run.active)
    return PLAIT_REAL(
        _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)(
        self, word, expected, timed, seconds, nanoseconds);
  if (timed && seconds < 0) return false;
  const timespec end{seconds, nanoseconds};
  return futex_wait(word, expected, timed ? Timeout::Absolute : Timeout::None, end) == 0 || errno != ETIMEDOUT;
}

extern "C" long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  const long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long),
             d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
  va_end(arguments);
  if (!run.active) return PLAIT_REAL(syscall)(number, a, b, c, d, e, f);
  switch (number) {
    case SYS_futex:
      switch (static_cast<int>(b) & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
          return futex_wait_until(reinterpret_cast<u32*>(a), static_cast<u32>(c), reinterpret_cast<const timespec*>(d),
                                  (static_cast<int>(b) & FUTEX_CMD_MASK) == FUTEX_WAIT);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET: return futex_wake(reinterpret_cast<u32*>(a), static_cast<u32>(c));
        default: unsupported("this kind of futex operation");
      }
    case SYS_gettid: return kProcessNumber + run.current->id;
    case SYS_sched_yield: return sched_yield();
    case SYS_getpid: return kProcessNumber;
    case SYS_membarrier: return 0;
    default: break;
  }
  static char name[48];
  __builtin_snprintf(name, sizeof name, "system call number %ld", number);
  unsupported(name);
}
