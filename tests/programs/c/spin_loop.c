// A spin loop has no last interleaving: each further turn is one more. The check must say that it did not finish.
// CHECK: verdict=inconclusive
// OPTIONS: --max-executions 3000 --max-events 200 --races off
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
