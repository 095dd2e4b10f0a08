// What runs leave open, atomic sections and assumptions of plait.h and SV-COMP, and everything that is refused by name.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/private_files.h"
#include "runtime/process.h"
#include "runtime/streams.h"
#include "runtime/strings.h"
#include "runtime/system_state.h"
#include "runtime/thread_state.h"

namespace plait::runtime {
namespace {

int lowest_fd = -1;  // what the program opens lies above; and three copies of the standard descriptors
constexpr int kStandardCopies = 500;
bool input_is_file = false;

void note_first_descriptors() {
  lowest_fd = PLAIT_REAL(dup)(0);
  PLAIT_REAL(close)(lowest_fd);
  // The engine's shared memory is mapped: its descriptors are not the program's business.
  PLAIT_REAL(syscall)(SYS_close_range, static_cast<unsigned>(lowest_fd), ~0u, 0);
  struct stat status;
  input_is_file = PLAIT_REAL(fstat)(0, &status) == 0 && S_ISREG(status.st_mode);
  for (int fd = 0; fd < 3; ++fd)
    if (PLAIT_REAL(fcntl)(fd, F_DUPFD_CLOEXEC, kStandardCopies + fd) != kStandardCopies + fd)
      die("cannot keep copies of the standard descriptors");
}

}  // namespace

bool descriptors_changed = false;

void reset_system_state() {
  reset_thread_state();
  reset_strings();
  if (!process.worker) return;
  if (lowest_fd < 0) {
    note_first_descriptors();
    forget_copies();
  }
  reset_streams();
  forget_private_files();
  if (input_is_file) PLAIT_REAL(lseek)(0, 0, SEEK_SET);
  if (!descriptors_changed) return;
  descriptors_changed = false;
  forget_copies();
  PLAIT_REAL(syscall)(SYS_close_range, static_cast<unsigned>(lowest_fd), static_cast<unsigned>(kStandardCopies - 1), 0);
  PLAIT_REAL(syscall)(SYS_close_range, static_cast<unsigned>(kStandardCopies + 3), ~0u, 0);
  for (int fd = 0; fd < 3; ++fd) PLAIT_REAL(dup2)(kStandardCopies + fd, fd);
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait_assume(int condition) {
  if (condition || !run.active) return;
  // The run is not worth going on with, for this thread. Others may go on first: what they do is not its business.
  Fiber& fiber = *run.current;
  begin_operation();
  fiber.pending = {.op = Op::Assume, .site = take_call_site()};
  fiber.pending_position = fiber.position;
  fiber.state = {};
  run.assumed |= bit(fiber.id);
  stop_for_good();
}

void __plait_atomic_begin() {
  if (!run.active) return;
  Fiber& fiber = *run.current;
  begin_operation();
  if (fiber.atomic_depth++ > 0) return;
  if (!run.init_phase) await_turn({.op = Op::AtomicBegin, .site = take_call_site()});
  run.atomic_owner = fiber.id;
}
void __plait_atomic_end() {
  if (!run.active) return;
  Fiber& fiber = *run.current;
  begin_operation();
  if (fiber.atomic_depth == 0)
    fail({.kind = FailureKind::LockMisuse, .site = take_call_site()},
         "T%u ends an atomic section that it did not begin", fiber.id);
  if (--fiber.atomic_depth > 0) return;
  await_drained(kNoSite);
  run.atomic_owner = kNoThread;
  if (!run.init_phase) record_free(Op::AtomicEnd, 0, 0, take_call_site());
}

// SV-COMP's names.
void __VERIFIER_assume(int condition) { __plait_assume(condition); }
void __VERIFIER_atomic_begin() { __plait_atomic_begin(); }
void __VERIFIER_atomic_end() { __plait_atomic_end(); }
__attribute__((weak)) void reach_error() {
  fail({.kind = FailureKind::Assertion, .site = take_call_site()}, "reach_error() was called");
}
__attribute__((weak)) void __VERIFIER_error() {
  fail({.kind = FailureKind::Assertion, .site = take_call_site()}, "__VERIFIER_error() was called");
}
// Refused: they start something that runs, waits or happens outside of our control.
pid_t fork() noexcept {
  if (!run.active) return PLAIT_REAL(fork)();
  unsupported("fork");
}
pid_t vfork() noexcept { unsupported("vfork"); }
int system(const char*) { unsupported("system"); }
FILE* popen(const char*, const char*) { unsupported("popen"); }
int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  if (!run.active) return PLAIT_REAL(execve)(path, arguments, environment);
  unsupported("execve");
}
int execv(const char*, char* const*) noexcept { unsupported("execv"); }
int execvp(const char*, char* const*) noexcept { unsupported("execvp"); }
int execl(const char*, const char*, ...) noexcept { unsupported("execl"); }
int execlp(const char*, const char*, ...) noexcept { unsupported("execlp"); }
int posix_spawn(pid_t*, const char*, const void*, const void*, char* const*, char* const*) noexcept {
  unsupported("posix_spawn");
}
int posix_spawnp(pid_t*, const char*, const void*, const void*, char* const*, char* const*) noexcept {
  unsupported("posix_spawnp");
}
int poll(pollfd* set, nfds_t count, int timeout) {
  if (!run.active) return PLAIT_REAL(poll)(set, count, timeout);
  unsupported("poll");
}
int select(int, fd_set*, fd_set*, fd_set*, timeval*) { unsupported("select"); }
int epoll_wait(int, void*, int, int) { unsupported("epoll_wait"); }
int socket(int domain, int type, int protocol) noexcept {
  if (!run.active) return PLAIT_REAL(socket)(domain, type, protocol);
  unsupported("socket");
}
int timer_create(clockid_t, sigevent*, timer_t*) noexcept { unsupported("timer_create"); }
unsigned alarm(unsigned) noexcept { unsupported("alarm"); }
int sigwait(const sigset_t*, int*) { unsupported("sigwait"); }
int pause() { unsupported("pause"); }
}
