// A loop without any visible operation that never ends in one of the two orders.
// CHECK: verdict=bug kind=infinite-loop
// CHECK-FIXED: verdict=safe
// OPTIONS: --loop-seconds 1
// SELF-CHECK: off (each such run costs the loop's time limit)
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint step = 1;

static void* other(void* unused) {
#ifdef FIXED
  step = 2;
#else
  step = 0;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  unsigned mine = step;
  for (volatile unsigned i = 0; i < 10; i += mine) {
  }
  pthread_join(thread, NULL);
  return 0;
}
