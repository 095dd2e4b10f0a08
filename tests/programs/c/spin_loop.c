// A spin loop has no last interleaving, but the thread that goes round is always in the same state: the check ends.
// SELF-CHECK: off (every turn is one more interleaving)
// CHECK: verdict=safe
// OPTIONS: --races off
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void* other(void* unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  while (!flag) sched_yield();
  pthread_join(thread, NULL);
  return 0;
}
