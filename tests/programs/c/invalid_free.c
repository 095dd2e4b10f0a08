// Which pointer is freed depends on the schedule; one of them is no heap block.
// CHECK: verdict=bug kind=invalid-free line=@free
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int fallback[4];
static int* _Atomic current = fallback;

static void* other(void* argument) {
  current = argument;
  return NULL;
}

int main(void) {
  int* block = malloc(sizeof fallback);
  pthread_t thread;
  pthread_create(&thread, NULL, other, block);
  int* mine = current;
#ifdef FIXED
  if (mine != fallback) free(mine);
#else
  free(mine);  // @free
#endif
  pthread_join(thread, NULL);
  return 0;
}
