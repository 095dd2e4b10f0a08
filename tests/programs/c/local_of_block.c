// A thread uses a local of a block that may have ended; the compiler marks the end without optimisation, too.
// CHECK: verdict=bug kind=use-after-scope line=@use
// CHECK-FIXED: verdict=safe
// FLAGS: -O0
#include <pthread.h>

static void* use(void* local) {
  *(int*)local += 1;  // @use
  return NULL;
}

int main(void) {
  pthread_t thread;
  {
    int local = 1;
    pthread_create(&thread, NULL, use, &local);
#ifdef FIXED
    pthread_join(thread, NULL);
#endif
  }
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
  return 0;
}
