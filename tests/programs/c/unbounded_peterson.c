// Peterson's algorithm with real waiting loops. Broken: the turn is set before the flag.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// MEMORY-MODELS: tso pso
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn, inside;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (int i = 0; i < 2; ++i) {
#ifdef FIXED
    atomic_store(&flag[me], 1);
    atomic_store(&turn, 1 - me);
#else
    atomic_store(&turn, 1 - me);
    atomic_store(&flag[me], 1);
#endif
    while (atomic_load(&flag[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
    assert(atomic_fetch_add(&inside, 1) == 0);  // @assert
    atomic_fetch_sub(&inside, 1);
    atomic_store(&flag[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
