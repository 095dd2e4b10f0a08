// Each thread announces itself, then looks for the other: with store buffers both can miss it.
// options: --memory-model tso
// fix: seq_cst stores, or a seq_cst fence between the store and the load.
// says: under tso: T1's store to left_is_here
// says: was still in its buffer when T2 read left_is_here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left_is_here, right_is_here;
static int left_is_alone, right_is_alone;

static void* left(void* unused) {
  atomic_store_explicit(&left_is_here, 1, memory_order_relaxed);
  left_is_alone = !atomic_load_explicit(&right_is_here, memory_order_relaxed);
  return unused;
}

static void* right(void* unused) {
  atomic_store_explicit(&right_is_here, 1, memory_order_relaxed);
  right_is_alone = !atomic_load_explicit(&left_is_here, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, left, 0);
  pthread_create(&threads[1], 0, right, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(!(left_is_alone && right_is_alone));
}
