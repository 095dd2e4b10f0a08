// plait_atomic_begin/end: what lies between is one step for the others.
// CHECK: verdict=bug kind=assertion
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
#include <plait.h>
#include <pthread.h>

static volatile int counter;

static void increment(void) {
#ifdef FIXED
  plait_atomic_begin();
#endif
  counter = counter + 1;
#ifdef FIXED
  plait_atomic_end();
#endif
}

static void* other(void* unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  increment();
  pthread_join(thread, NULL);
  plait_assert(counter == 2);
  return 0;
}
