// As free_untouched.c, but the other thread writes. A large block: a free touches all of its bytes.
// CHECK: verdict=bug kind=use-after-free line=@write
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int present = 1;
static char *block;

static void *release(void *unused) {
  (void)unused;
  if (atomic_exchange(&present, 0)) free(block);
  return NULL;
}

static void *use(void *unused) {
  (void)unused;
#ifdef FIXED
  if (atomic_exchange(&present, 0)) {
#else
  if (present) {
#endif
    block[9999] = 1;  // @write
    present = 1;
  }
  return NULL;
}

int main(void) {
  block = malloc(10000);
  pthread_t a, b;
  pthread_create(&a, NULL, release, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
