// Two threads announce themselves, then look for each other. At least one must see the other: under sequential consistency it does.
// On a processor with store buffers (plait check --memory-model tso) neither may. -DFENCE: each waits until its store is in memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left_is_here, right_is_here;
static int left_is_alone, right_is_alone;

static void announce(atomic_int* here) {
  atomic_store_explicit(here, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void* left(void* unused) {
  announce(&left_is_here);
  left_is_alone = !atomic_load_explicit(&right_is_here, memory_order_relaxed);
  return unused;
}

static void* right(void* unused) {
  announce(&right_is_here);
  right_is_alone = !atomic_load_explicit(&left_is_here, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(!(left_is_alone && right_is_alone));
  return 0;
}
