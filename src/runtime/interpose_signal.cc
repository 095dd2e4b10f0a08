#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/result.h"
#include "runtime/scheduler.h"
#include "runtime/signals.h"

namespace plait::runtime {
namespace {

using Action = struct sigaction;
Action actions[kSignalWords];
bool changed = true;

bool is_number(int number) { return number > 0 && number < static_cast<int>(kSignalWords); }

/// These the runtime handles itself: to the program they are in their default state.
bool is_ours(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT ||
         number == SIGTRAP || number == SIGVTALRM;
}

/// Default actions that a run survives: ours reports a crash, or nothing happens.
bool is_survived(int number) {
  return (is_ours(number) && number != SIGVTALRM) || number == SIGCHLD || number == SIGURG || number == SIGWINCH ||
         number == SIGCONT;
}

bool stops_process(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

int set_action(int number, const Action* wanted, Action* old) {
  if (!is_number(number)) return fail_with(EINVAL);
  if (wanted && (number == SIGKILL || number == SIGSTOP)) return fail_with(EINVAL);
  if (!wanted) {
    look_at(Ghost::Signals, static_cast<u32>(number));
    *old = actions[number];
    return 0;
  }
  Action copy = {};  // without what the compiler leaves between the fields
  copy.sa_sigaction = wanted->sa_sigaction;
  copy.sa_mask = wanted->sa_mask;
  copy.sa_flags = wanted->sa_flags;
  replace(Ghost::Signals, hash_of(&copy, sizeof copy), static_cast<u32>(number));
  if (old) *old = actions[number];
  actions[number] = copy;
  changed = true;
  return 0;
}

sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  Action action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return set_action(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/// A signal that the current thread sends to itself is handled before the call returns.
int raise_here(int number) {
  if (!run.active || !is_number(number)) return PLAIT_REAL(raise)(number);
  look_at(Ghost::Signals, static_cast<u32>(number));
  const Action action = actions[number];
  const u64 me = u64{1} << (number - 1);
  Fiber& fiber = *run.current;
  if (action.sa_handler == SIG_IGN) return 0;
  if (fiber.signal_mask & me) unsupported("raise of a blocked signal");
  if (action.sa_handler == SIG_DFL) {
    if (stops_process(number)) unsupported("raise of a signal that stops the process");
    if (!is_survived(number))
      fail({.kind = FailureKind::Crash, .site = call_site()}, "T%u ends the process by signal %d", fiber.id, number);
    return PLAIT_REAL(raise)(number);
  }
  if (action.sa_flags & SA_RESETHAND) set_handler(number, SIG_DFL, 0);
  const u64 before = fiber.signal_mask;
  u64 blocked;
  __builtin_memcpy(&blocked, &action.sa_mask, sizeof blocked);
  fiber.signal_mask |= blocked | (action.sa_flags & SA_NODEFER ? 0 : me);
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = {};
    info.si_signo = number;
    info.si_code = SI_TKILL;
    info.si_pid = getpid();
    action.sa_sigaction(number, &info, nullptr);
  } else {
    action.sa_handler(number);
  }
  run.current->signal_mask = before;
  return 0;
}

}  // namespace

bool has_handler(int number) {
  return is_number(number) && actions[number].sa_handler != SIG_DFL && actions[number].sa_handler != SIG_IGN;
}

void reset_signals() {
  if (!changed) return;
  changed = false;
  for (int number = 1; number < static_cast<int>(kSignalWords); ++number) {
    actions[number] = {};
    if (!is_ours(number)) PLAIT_REAL(sigaction)(number, nullptr, actions + number);
  }
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int sigaction(int number, const struct sigaction* wanted, struct sigaction* old) noexcept {
  if (!run.active) return PLAIT_REAL(sigaction)(number, wanted, old);
  struct sigaction copy = {}, before = {};
  if (wanted) copy = take(wanted);
  const int result = set_action(number, wanted ? &copy : nullptr, &before);
  if (result == 0) give(old, before);
  return result;
}
sighandler_t signal(int number, sighandler_t handler) noexcept {
  return run.active ? set_handler(number, handler, SA_RESTART) : PLAIT_REAL(signal)(number, handler);
}
sighandler_t ssignal(int number, sighandler_t handler) noexcept { return signal(number, handler); }
sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return run.active ? set_handler(number, handler, SA_RESETHAND | SA_NODEFER)
                    : PLAIT_REAL(sysv_signal)(number, handler);
}
sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept { return sysv_signal(number, handler); }
int sigignore(int number) noexcept { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }
int siginterrupt(int, int) noexcept { unsupported("siginterrupt"); }

int raise(int number) noexcept { return raise_here(number); }
int gsignal(int number) noexcept { return raise_here(number); }
int kill(pid_t process_id, int number) noexcept {
  if (!run.active) return PLAIT_REAL(kill)(process_id, number);
  if (process_id != getpid()) unsupported("kill");
  if (number == 0) return 0;
  // Any thread could be the one that handles it.
  if ((run.live & ~bit(run.current->id)) && has_handler(number))
    unsupported("kill with a handler while several threads run");
  return raise_here(number);
}
}
