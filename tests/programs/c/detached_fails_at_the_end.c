// The program may end before the detached thread looks; it may also look before.
// CHECK: verdict=bug kind=assertion line=@check
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* detached(void* unused) {
#ifdef FIXED
  assert(x != 2);
#else
  assert(x != 1);  // @check
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, detached, NULL);
  pthread_detach(thread);
  x = 1;
  return 0;
}
