// A ring buffer of two places between a producer and a consumer that both spin. Broken: an item is announced before it
// is there.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kPlaces = 2, kItems = 4 };
static atomic_int ring[kPlaces], head, tail;

static void* producer(void* unused) {
  for (int i = 0; i < kItems; ++i) {
    while (i - atomic_load(&head) == kPlaces) {
    }
#ifdef FIXED
    atomic_store(&ring[i % kPlaces], i + 1);
    atomic_store(&tail, i + 1);
#else
    atomic_store(&tail, i + 1);
    atomic_store(&ring[i % kPlaces], i + 1);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, producer, NULL);
  for (int i = 0; i < kItems; ++i) {
    while (atomic_load(&tail) == i) {
    }
    assert(atomic_load(&ring[i % kPlaces]) == i + 1);  // @assert
    atomic_store(&head, i + 1);
  }
  pthread_join(thread, NULL);
  return 0;
}
