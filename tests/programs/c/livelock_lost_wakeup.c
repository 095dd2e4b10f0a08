// A lost wake-up in a protocol of flags: the waiter looks, the waker sees nobody waiting, and then the waiter begins to
// wait.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=bug kind=livelock
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, waiting, woken;

static void* waker(void* unused) {
  atomic_store(&ready, 1);
  if (atomic_load(&waiting)) atomic_store(&woken, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waker, NULL);
#ifdef FIXED
  atomic_store(&waiting, 1);
  if (!atomic_load(&ready))
    while (!atomic_load(&woken)) {
    }
#else
  if (!atomic_load(&ready)) {
    atomic_store(&waiting, 1);
    while (!atomic_load(&woken)) {
    }
  }
#endif
  pthread_join(thread, NULL);
  return 0;
}
