// Dekker's algorithm with real waiting loops. Broken: a thread that gives way does not take its flag down, so both wait
// for ever.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=bug kind=livelock
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn, inside;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument;
  atomic_store(&flag[me], 1);
  while (atomic_load(&flag[1 - me])) {
    if (atomic_load(&turn) == me) continue;
#ifdef FIXED
    atomic_store(&flag[me], 0);
#endif
    while (atomic_load(&turn) != me) {
    }
    atomic_store(&flag[me], 1);
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&turn, 1 - me);
  atomic_store(&flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
