// A reader-writer lock from one atomic counter (-1: a writer), everybody spins. Broken: the writer does not wait for
// readers.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int holders, a, b;

static void* reader(void* unused) {
  for (;;) {
    int now = atomic_load(&holders);
    if (now >= 0 && atomic_compare_exchange_strong(&holders, &now, now + 1)) break;
  }
  const int x = atomic_load(&a), y = atomic_load(&b);
  assert(x == y);  // @assert
  atomic_fetch_sub(&holders, 1);
  return unused;
}

static void* writer(void* unused) {
  for (;;) {
#ifdef FIXED
    int now = 0;
    if (atomic_compare_exchange_strong(&holders, &now, -1)) break;
#else
    if (atomic_load(&holders) == 0) break;
#endif
  }
  atomic_store(&a, 1);
  atomic_store(&b, 1);
#ifdef FIXED
  atomic_store(&holders, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, writer, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
