// Refused by name: functions that start, signal or wait for something outside of our control, or change the process for
// good. What else is refused stands with its family. tests/libcalls goes through the headers: each of their functions
// works, is refused, or is harmless.
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/process.h"

using namespace plait;
using namespace plait::runtime;

// The types do not matter: none returns.
#define PLAIT_REFUSE(name)               \
  void plait_refuse_##name() asm(#name); \
  void plait_refuse_##name() { unsupported(#name); }

extern "C" {

PLAIT_REFUSE(_Fork)
PLAIT_REFUSE(clone)
PLAIT_REFUSE(daemon)
PLAIT_REFUSE(execle)
PLAIT_REFUSE(execveat)
PLAIT_REFUSE(execvpe)
PLAIT_REFUSE(fexecve)
PLAIT_REFUSE(killpg)
PLAIT_REFUSE(tgkill)
PLAIT_REFUSE(pthread_sigqueue)
PLAIT_REFUSE(sigqueue)
PLAIT_REFUSE(sigsuspend)
PLAIT_REFUSE(sigpause)
PLAIT_REFUSE(__xpg_sigpause)
PLAIT_REFUSE(sigtimedwait)
PLAIT_REFUSE(sigwaitinfo)
PLAIT_REFUSE(sigreturn)
PLAIT_REFUSE(sigblock)
PLAIT_REFUSE(sigsetmask)
PLAIT_REFUSE(siggetmask)
PLAIT_REFUSE(sighold)
PLAIT_REFUSE(sigrelse)
PLAIT_REFUSE(sigset)
PLAIT_REFUSE(sigstack)
PLAIT_REFUSE(ualarm)
PLAIT_REFUSE(setns)
PLAIT_REFUSE(unshare)
PLAIT_REFUSE(setuid)
PLAIT_REFUSE(setgid)
PLAIT_REFUSE(seteuid)
PLAIT_REFUSE(setegid)
PLAIT_REFUSE(setreuid)
PLAIT_REFUSE(setregid)
PLAIT_REFUSE(setresuid)
PLAIT_REFUSE(setresgid)
PLAIT_REFUSE(setsid)
PLAIT_REFUSE(setpgid)
PLAIT_REFUSE(setpgrp)
PLAIT_REFUSE(sethostname)
PLAIT_REFUSE(sethostid)
PLAIT_REFUSE(setdomainname)
PLAIT_REFUSE(setlogin)
PLAIT_REFUSE(nice)
PLAIT_REFUSE(acct)
PLAIT_REFUSE(vhangup)
PLAIT_REFUSE(revoke)
PLAIT_REFUSE(profil)
PLAIT_REFUSE(getpass)
PLAIT_REFUSE(lockf)
PLAIT_REFUSE(lockf64)
PLAIT_REFUSE(sem_close)
PLAIT_REFUSE(sem_unlink)
PLAIT_REFUSE(__pthread_register_cancel_defer)
PLAIT_REFUSE(__pthread_unregister_cancel_restore)
PLAIT_REFUSE(closefrom)
PLAIT_REFUSE(close_range)
PLAIT_REFUSE(tcsetpgrp)

// Not of those headers: state outside of the program's memory.
PLAIT_REFUSE(ptrace)
PLAIT_REFUSE(mount)
PLAIT_REFUSE(umount)
PLAIT_REFUSE(umount2)
PLAIT_REFUSE(swapon)
PLAIT_REFUSE(reboot)
PLAIT_REFUSE(shm_open)
PLAIT_REFUSE(shm_unlink)
PLAIT_REFUSE(shmget)
PLAIT_REFUSE(shmat)
PLAIT_REFUSE(shmdt)
PLAIT_REFUSE(shmctl)
PLAIT_REFUSE(semget)
PLAIT_REFUSE(semop)
PLAIT_REFUSE(semctl)
PLAIT_REFUSE(msgget)
PLAIT_REFUSE(msgsnd)
PLAIT_REFUSE(msgrcv)
PLAIT_REFUSE(mq_open)
PLAIT_REFUSE(mq_unlink)
PLAIT_REFUSE(eventfd)
PLAIT_REFUSE(timerfd_create)
PLAIT_REFUSE(signalfd)
PLAIT_REFUSE(inotify_init)
PLAIT_REFUSE(inotify_init1)
PLAIT_REFUSE(epoll_create)
PLAIT_REFUSE(epoll_create1)
PLAIT_REFUSE(socketpair)
PLAIT_REFUSE(mremap)
PLAIT_REFUSE(pkey_mprotect)
PLAIT_REFUSE(openlog)
PLAIT_REFUSE(syslog)
PLAIT_REFUSE(vsyslog)
PLAIT_REFUSE(setlogmask)
PLAIT_REFUSE(seed48)
PLAIT_REFUSE(lcong48)
PLAIT_REFUSE(initstate)
PLAIT_REFUSE(setstate)
PLAIT_REFUSE(hcreate)
PLAIT_REFUSE(fanotify_init)
PLAIT_REFUSE(posix_openpt)
PLAIT_REFUSE(getpt)
PLAIT_REFUSE(grantpt)
PLAIT_REFUSE(open_by_handle_at)
PLAIT_REFUSE(copy_file_range)
PLAIT_REFUSE(sendfile)
PLAIT_REFUSE(splice)
PLAIT_REFUSE(tee)
PLAIT_REFUSE(vmsplice)
PLAIT_REFUSE(process_vm_writev)

int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  if (!run.active) return PLAIT_REAL(sigaltstack)(stack, old);  // the runtime's own
  unsupported("sigaltstack");
}

// libc's own allocator grows the heap with these, through other names.
int brk(void* end) noexcept {
  if (!run.active) return PLAIT_REAL(brk)(end);
  unsupported("brk");
}
void* sbrk(intptr_t bytes) noexcept {
  if (!run.active || bytes == 0) return PLAIT_REAL(sbrk)(bytes);
  unsupported("sbrk");
}
}
