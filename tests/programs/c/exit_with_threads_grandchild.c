// With --exit-with-threads bug: a thread that shares nothing, and whose parent has ended, may still run when main ends.
// CHECK: verdict=bug kind=exit-with-threads
// CHECK-FIXED: verdict=safe
// OPTIONS: --exit-with-threads bug
// EXPLORERS: all
#include <pthread.h>

static pthread_t grandchild;

static void* nothing(void* unused) { return unused; }

static void* child(void* unused) {
  pthread_create(&grandchild, NULL, nothing, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_join(thread, NULL);
#ifdef FIXED
  pthread_join(grandchild, NULL);
#endif
  return 0;
}
