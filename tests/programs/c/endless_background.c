// Threads that go on for ever without sharing anything: the program may end without them, but not wait for them.
// CHECK: verdict=bug kind=livelock|infinite-loop
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (exhaustive exploration does not end)
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int shared;
static volatile int own;

static void* sleeps(void* unused) {
  for (;;) sleep(1);
  return unused;
}

static void* yields(void* unused) {
  for (;;) sched_yield();
  return unused;
}

static void* writes(void* unused) {
  for (;;) own = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, sleeps, NULL);
  pthread_create(&threads[1], NULL, yields, NULL);
  pthread_create(&threads[2], NULL, writes, NULL);
  shared = 1;
#ifndef FIXED
  pthread_join(threads[0], NULL);
#endif
  return 0;
}
