// Names, scheduling parameters, processors, cancellation states: what was set is what is found, by other threads too.
// CHECK: verdict=bug kind=assertion line=@name
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

static void* works(void* unused) {
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
#ifndef FIXED
  assert(strcmp(name, "worker") != 0);  // @name
#endif
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  return unused;
}

int main() {
  pthread_t worker;
  pthread_setname_np(pthread_self(), "first");
  pthread_create(&worker, NULL, works, NULL);
  pthread_setname_np(worker, "worker");
  int policy = -1;
  struct sched_param parameters = {.sched_priority = -1};
  assert(pthread_getschedparam(worker, &policy, &parameters) == 0 && policy == SCHED_OTHER && parameters.sched_priority == 0);
  assert(pthread_setschedprio(worker, 0) == 0 && pthread_setschedprio(worker, 99) != 0);
  parameters.sched_priority = 5;
  assert(pthread_setschedparam(worker, SCHED_FIFO, &parameters) == 0);
  assert(pthread_getschedparam(worker, &policy, &parameters) == 0 && policy == SCHED_FIFO && parameters.sched_priority == 5);
  cpu_set_t set;
  assert(pthread_getaffinity_np(worker, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
  assert(pthread_setaffinity_np(worker, sizeof set, &set) == 0);
  clockid_t clock;
  assert(pthread_getcpuclockid(worker, &clock) == 0);
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0);
  pthread_join(worker, NULL);
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  assert(strcmp(name, "first") == 0);
  return 0;
}
