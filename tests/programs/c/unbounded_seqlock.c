// A seqlock whose reader tries again until it is lucky. Broken: it does not look at the sequence again.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// MEMORY-MODELS: tso pso
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void* writer(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&a, i);
    atomic_store(&b, i);
    atomic_fetch_add(&sequence, 1);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int before, x, y;
  do {
    before = atomic_load(&sequence);
    x = atomic_load(&a);
    y = atomic_load(&b);
#ifdef FIXED
  } while (before % 2 || before != atomic_load(&sequence));
#else
  } while (before % 2);
#endif
  assert(x == y);  // @assert
  pthread_join(thread, NULL);
  return 0;
}
