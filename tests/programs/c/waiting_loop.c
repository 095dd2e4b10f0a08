// main waits in a loop without a bound. The bug behind it is found; without the bug it is safe.
// SELF-CHECK: off (every turn is one more interleaving)
// OPTIONS: --races off
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void* writer(void* unused) {
#ifdef FIXED
  data = 42;
  flag = 1;
#else
  flag = 1;
  data = 42;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  while (!flag) {
  }
  assert(data == 42);  // @assert
  pthread_join(thread, NULL);
  return 0;
}
