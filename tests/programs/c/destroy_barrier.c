// The last thread at a barrier may destroy and free it while the others still leave; whoever comes after that may not.
// CHECK: verdict=bug kind=use-after-free|lock-misuse line=@late
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meet(void *unused) {
  (void)unused;
  if (pthread_barrier_wait(barrier)) {
    pthread_barrier_destroy(barrier);
    free(barrier);
  }
#ifndef FIXED
  else
    pthread_barrier_wait(barrier);  // @late
#endif
  return NULL;
}

int main(void) {
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, NULL, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, meet, NULL);
  pthread_create(&b, NULL, meet, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
