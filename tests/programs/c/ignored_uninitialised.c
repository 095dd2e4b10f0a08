// A read of a value that nobody has written does not end the run when it is ignored: what comes behind it is checked.
// CHECK: verdict=bug kind=assertion line=@use
// CHECK-FIXED: verdict=safe
// OPTIONS: --ignore uninitialised-read
// EXPLORERS: all
// FLAGS: -Wno-sometimes-uninitialized
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *look(void *unused) {
  (void)unused;
  int *number = malloc(sizeof *number), local;
  if (*number == 7) atomic_store(&ready, 2);
  if (atomic_load(&ready) == 7) local = 1;
  if (local == 7) atomic_store(&ready, 3);
  free(number);
#ifndef FIXED
  assert(atomic_load(&ready) != 1);  // @use
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  atomic_store(&ready, 1);
  pthread_join(thread, NULL);
}
