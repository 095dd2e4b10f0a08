// A local variable gets a value in some schedules only.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// FLAGS: -Wno-sometimes-uninitialized
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;

static void *announce(void *unused) {
  (void)unused;
  atomic_store(&ready, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, announce, NULL);
  int value;
  const int found = atomic_load(&ready);
  if (found) value = 1;
#ifdef FIXED
  if (found)
#endif
    printf("%d\n", value);  // @use
  pthread_join(thread, NULL);
}
