// A loop that waits for memory which no run has shared yet is no endless loop: the other thread, interrupted, would end it.
// CHECK: verdict=safe
// SELF-CHECK: off (the loop has no bound)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state, go;

static void* waiter(void* unused) {
  int expected = 1;
  if (atomic_compare_exchange_strong(&state, &expected, 2))
    while (!go) {
    }
  return unused;
}

static void* starter(void* unused) {
  int expected = 1;
  state = 1;
  if (!atomic_compare_exchange_strong(&state, &expected, 0)) go = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, starter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
