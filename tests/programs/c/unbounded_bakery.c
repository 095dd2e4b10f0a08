// Lamport's bakery for two threads with real waiting loops. Broken: nobody says that he is about to draw a number.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// MEMORY-MODELS: tso pso
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int choosing[2], number[2], inside;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument, other = 1 - me;
#ifdef FIXED
  atomic_store(&choosing[me], 1);
#endif
  const int mine = atomic_load(&number[other]) + 1;
  atomic_store(&number[me], mine);
  atomic_store(&choosing[me], 0);
  while (atomic_load(&choosing[other])) {
  }
  for (;;) {
    const int theirs = atomic_load(&number[other]);
    if (theirs == 0 || theirs > mine || (theirs == mine && me < other)) break;
  }
  assert(atomic_fetch_add(&inside, 1) == 0);  // @assert
  atomic_fetch_sub(&inside, 1);
  atomic_store(&number[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
