// Recursion whose depth depends on what the other thread wrote.
// CHECK: verdict=bug kind=stack-overflow
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int depth = 3;

__attribute__((noinline)) static int recurse(volatile int n) {
  volatile char frame[1024];
  frame[0] = (char)n;
  return n == 0 ? 0 : recurse(n - 1) + frame[0] - (char)n + 1;
}

static void* other(void* unused) {
#ifdef FIXED
  depth = 5;
#else
  depth = -1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int result = recurse(depth);
  pthread_join(thread, NULL);
  return result == 3 || result == 5 ? 0 : 1;
}
