// A thread that a library starts behind Plait's back (here: through libc's own pthread_create) runs instrumented code:
// refused, never silently mixed with the controlled threads.
// FLAGS: -D_GNU_SOURCE
// SELF-CHECK: off (the process ends)
// CHECK: verdict=inconclusive
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void* touch(void* unused) {
  shared++;
  return unused;
}

int main(void) {
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  pthread_t ours, foreign;
  pthread_create(&ours, NULL, touch, NULL);
  create(&foreign, NULL, touch, NULL);
  for (volatile int i = 0; i < 100000000; ++i) {
  }
  pthread_join(ours, NULL);
  return 0;
}
