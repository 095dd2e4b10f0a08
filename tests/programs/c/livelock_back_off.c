// Two threads that back off and try again for ever are no error: whenever one of them is alone for a while, it gets
// through.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int want[2];

static void* guest(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (;;) {
    atomic_store(&want[me], 1);
    if (!atomic_load(&want[1 - me])) break;
    atomic_store(&want[me], 0);
  }
  atomic_store(&want[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, guest, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
