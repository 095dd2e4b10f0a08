// Sets of signals are memory of the program. Masks are kept, one for each thread, and nothing follows from them:
// signals come from the threads themselves only (raise), and those that are blocked are refused there.
#include <errno.h>
#include <signal.h>

#include "runtime/process.h"
#include "runtime/result.h"

using namespace plait;
using namespace plait::runtime;

namespace {

template <class Change>
int change_set(sigset_t* set, Change change) {
  sigset_t copy = take(set);
  const int result = change(&copy);
  if (result == 0) give(set, copy);
  return result;
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  u64& mask = run.current->signal_mask;
  const u64 before = mask;
  if (set) {
    constexpr u64 kNever = u64{1} << (SIGKILL - 1) | u64{1} << (SIGSTOP - 1);
    const u64 wanted = take(reinterpret_cast<const u64*>(set)) & ~kNever;  // the kernel's set is the first word
    mask = how == SIG_BLOCK ? before | wanted : how == SIG_UNBLOCK ? before & ~wanted : wanted;
  }
  if (!old) return 0;
  sigset_t result = {};
  __builtin_memcpy(&result, &before, sizeof before);
  give(old, result);
  return 0;
}

}  // namespace

extern "C" {

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return run.active ? change_mask(how, set, old) : PLAIT_REAL(pthread_sigmask)(how, set, old);
}
int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!run.active) return PLAIT_REAL(sigprocmask)(how, set, old);
  const int error = change_mask(how, set, old);
  if (error) errno = error;
  return error ? -1 : 0;
}
int sigpending(sigset_t* set) noexcept {
  give(set, sigset_t{});
  return 0;
}

int sigemptyset(sigset_t* set) noexcept {
  give(set, sigset_t{});
  return 0;
}
int sigfillset(sigset_t* set) noexcept {
  sigset_t all;
  PLAIT_REAL(sigfillset)(&all);
  give(set, all);
  return 0;
}
int sigaddset(sigset_t* set, int number) noexcept {
  return change_set(set, [=](sigset_t* copy) { return PLAIT_REAL(sigaddset)(copy, number); });
}
int sigdelset(sigset_t* set, int number) noexcept {
  return change_set(set, [=](sigset_t* copy) { return PLAIT_REAL(sigdelset)(copy, number); });
}
int sigismember(const sigset_t* set, int number) noexcept {
  const sigset_t copy = take(set);
  return PLAIT_REAL(sigismember)(&copy, number);
}
int sigisemptyset(const sigset_t* set) noexcept {
  const sigset_t copy = take(set);
  return PLAIT_REAL(sigisemptyset)(&copy);
}
int sigandset(sigset_t* set, const sigset_t* a, const sigset_t* b) noexcept {
  const sigset_t x = take(a), y = take(b);
  sigset_t result;
  PLAIT_REAL(sigandset)(&result, &x, &y);
  give(set, result);
  return 0;
}
int sigorset(sigset_t* set, const sigset_t* a, const sigset_t* b) noexcept {
  const sigset_t x = take(a), y = take(b);
  sigset_t result;
  PLAIT_REAL(sigorset)(&result, &x, &y);
  give(set, result);
  return 0;
}
}
