// Numbers of the process and its threads, masks of signals, scheduling by number: as in a native run, and the same in every worker.
// CHECK: verdict=safe
// EXPLORERS: all
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t numbers[2];

static void* works(void* number) {
  *(pid_t*)number = gettid();
  assert(gettid() == syscall(SYS_gettid) && getpid() == syscall(SYS_getpid) && gettid() != getpid());
  sigset_t set, old;
  assert(pthread_sigmask(SIG_SETMASK, NULL, &set) == 0 && sigismember(&set, SIGUSR1) && !sigismember(&set, SIGUSR2));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR2));
  assert(pthread_sigmask(SIG_UNBLOCK, &set, &old) == 0 && sigismember(&old, SIGUSR1) && sigismember(&old, SIGUSR2));
  return NULL;
}

int main() {
  assert(gettid() == getpid());
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, works, &numbers[0]);
  pthread_create(&b, NULL, works, &numbers[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(numbers[0] != numbers[1]);
  struct sched_param parameters = {.sched_priority = 3};
  assert(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 && sched_getscheduler(0) == SCHED_FIFO);
  parameters.sched_priority = 0;
  assert(sched_getparam(getpid(), &parameters) == 0 && parameters.sched_priority == 3);
  cpu_set_t processors;
  assert(sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 0);
  assert(sched_getcpu() >= 0);
  return 0;
}
