// Two polite threads: whoever meets the other lets him go first, and waits until he has gone. If both meet, both wait
// for ever, busily. Fixed: only one of the two is polite.
// SELF-CHECK: off (loops without a bound)
// OPTIONS: --races off
// CHECK: verdict=bug kind=livelock
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int at_door[2], gone[2];

static void* guest(void* argument) {
  const int me = (int)(intptr_t)argument;
  atomic_store(&at_door[me], 1);
#ifdef FIXED
  const int polite = me == 0;
#else
  const int polite = 1;
#endif
  if (polite && atomic_load(&at_door[1 - me]))
    while (!atomic_load(&gone[1 - me])) {
    }
  atomic_store(&gone[me], 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, guest, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
