// Turns of two operations: one attempt can fail because another thread comes between, twenty cannot. x or y is 1 at any
// time.
// EXPLORERS: all
// OPTIONS: --races off
// CHECK: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y;

static int look(void) {
  for (int i = 0; i < 20; ++i) {
    if (atomic_load(&x)) return 1;
    if (atomic_load(&y)) return 1;
  }
  return 0;
}

static void* other(void* unused) {
  atomic_store(&y, 1);
  atomic_store(&x, 0);
  atomic_store(&x, 1);
  atomic_store(&y, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  const int seen = look();
  assert(seen);
  pthread_join(thread, NULL);
  return 0;
}
