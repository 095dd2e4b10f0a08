// A test-and-set lock without a bound on its spinning, three threads. Broken: the test and the set are two operations.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// MEMORY-MODELS: tso pso
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, inside;

static void* worker(void* unused) {
#ifdef FIXED
  while (atomic_exchange(&lock, 1)) {
  }
#else
  while (atomic_load(&lock)) {
  }
  atomic_store(&lock, 1);
#endif
  atomic_fetch_add(&inside, 1);
  assert(atomic_load(&inside) == 1);  // @assert
  atomic_fetch_sub(&inside, 1);
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
