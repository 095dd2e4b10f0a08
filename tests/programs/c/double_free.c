// Both threads may see that the block is still there, and both free it.
// CHECK: verdict=bug kind=double-free line=@free
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void* _Atomic block;

static void release(void) {
#ifdef FIXED
  void* mine = atomic_exchange(&block, NULL);
  free(mine);
#else
  void* mine = block;
  if (mine) {
    block = NULL;
    free(mine);  // @free
  }
#endif
}

static void* other(void* unused) {
  release();
  return unused;
}

int main(void) {
  block = malloc(16);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  release();
  pthread_join(thread, NULL);
  return 0;
}
