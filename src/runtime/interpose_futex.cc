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

long futex_wait(u32* word, u32 expected, const timespec* timeout, bool relative) {
  timespec end = {};
  if (timeout) end = take(timeout);
  machine::Operation operation = operation_on(Op::FutexWait, word);
  operation.operand = expected;
  operation.size = 4;
  if (const u64 error = synchronise(operation).value) return fail_with(error);
  operation.op = Op::FutexWake;
  operation.size = 0;
  operation.detail = timeout ? machine::wake_flag::kTimed : 0;
  if (const u64 error = synchronise(operation).value) {
    if (relative) {
      run.current->clock += static_cast<u64>(end.tv_sec) * 1000000000 + static_cast<u64>(end.tv_nsec);
    } else {
      pass(end);
    }
    return fail_with(error);
  }
  return 0;
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
          return futex_wait(reinterpret_cast<u32*>(a), static_cast<u32>(c), reinterpret_cast<const timespec*>(d),
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
