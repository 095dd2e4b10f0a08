// main returns while the worker may still run: legal, and a bug for those who ask.
// CHECK: verdict=bug kind=exit-with-threads
// CHECK-FIXED: verdict=safe
// OPTIONS: --exit-with-threads bug
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void* worker(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
  return done > 1;
}
