// Spin, then give up: a thousand attempts are as good as one. Broken: takes it for granted that one of them succeeds.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (a thousand turns as they are written)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static int spin(void) {
  for (int i = 0; i < 1000; i++) {
    if (atomic_load(&flag)) return 1;
    __builtin_ia32_pause();
  }
  return 0;
}

static void* other(void* unused) {
  data = 7;
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  const int seen = spin();
#ifndef FIXED
  assert(seen);  // @assert
#else
  assert(!seen || data == 7);
#endif
  pthread_join(thread, NULL);
  assert(data == 7);
  return 0;
}
