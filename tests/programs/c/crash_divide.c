// A division by what the other thread has set to zero.
// CHECK: verdict=bug kind=crash line=@divide
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;

static void* other(void* unused) {
  divisor = 0;
  return unused;
}

int main(void) {
  pthread_t thread;
  int result = 0;
  pthread_create(&thread, NULL, other, NULL);
#ifdef FIXED
  int mine = divisor;
  if (mine) result = 10 / mine;
#else
  if (divisor) result = 10 / divisor;  // @divide
#endif
  pthread_join(thread, NULL);
  return result > 5;
}
