// A block that nobody has touched since the first fork is freed by one thread in one run and by the other in another run: no single run
// without the bug has both.
// CHECK: verdict=bug kind=double-free line=@free
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int present = 1;
static int *block;

static void *take(void *unused) {
  (void)unused;
#ifdef FIXED
  if (atomic_exchange(&present, 0)) free(block);
#else
  if (present) free(block);  // @free
  present = 0;
#endif
  return NULL;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
