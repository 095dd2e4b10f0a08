// A ticket lock without a bound on its spinning, three threads. Broken: two threads can draw the same ticket.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// MEMORY-MODELS: tso pso
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, serving, inside;

static void* worker(void* unused) {
#ifdef FIXED
  const int mine = atomic_fetch_add(&next_ticket, 1);
#else
  const int mine = atomic_load(&next_ticket);
  atomic_store(&next_ticket, mine + 1);
#endif
  while (atomic_load(&serving) != mine) {
  }
  atomic_fetch_add(&inside, 1);
  assert(atomic_load(&inside) == 1);  // @assert
  atomic_fetch_sub(&inside, 1);
  atomic_store(&serving, mine + 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
