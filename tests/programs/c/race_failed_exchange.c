// A compare-and-swap that fails reads with its second order only.
// CHECK: verdict=bug kind=race
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define IF_IT_FAILS memory_order_acquire
#else
#define IF_IT_FAILS memory_order_relaxed
#endif

static int message;
static atomic_int ready;

static void* writer(void* unused) {
  (void)unused;
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&ready, &expected, 2, memory_order_acq_rel, IF_IT_FAILS))
    assert(message == 42);
  pthread_join(thread, 0);
}
