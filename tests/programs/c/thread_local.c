// A counter that should be per thread: faulty without _Thread_local.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>

#ifdef FIXED
static _Thread_local int depth = 5;
#else
static int depth = 5;
#endif

static void nest(void) {
  int* address = &depth;  // the address escapes: the accesses cannot be optimised away
  *address += 1;
  assert(*address == 6);
  *address -= 1;
}

static void* other(void* unused) {
  nest();
  assert(depth == 5);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  nest();
  pthread_join(thread, NULL);
  assert(depth == 5);
  return 0;
}
