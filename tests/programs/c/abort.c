// abort() on a path that only some schedules take.
// CHECK: verdict=bug kind=abort line=@abort
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void* other(void* unused) {
  turn = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  turn = 1;
#ifdef FIXED
  pthread_join(thread, NULL);
  if (turn != 1 && turn != 2) abort();
#else
  if (turn != 1) abort();  // @abort
  pthread_join(thread, NULL);
#endif
  return 0;
}
