// A failure that is ignored ends its run although the program would go on: what it does then was not checked, and that
// is said.
// CHECK: verdict=inconclusive
// OPTIONS: --ignore use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *look(void *unused) {
  (void)unused;
  int *number = malloc(sizeof *number);
  free(number);
  if (*number == 7) atomic_store(&ready, 2);
  assert(atomic_load(&ready) != 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  atomic_store(&ready, 1);
  pthread_join(thread, NULL);
}
