// Freed before the first fork: both threads fail, whatever the order.
// OPTIONS: --keep-going --races off
// CHECK: verdict=bug kind=use-after-free line=@use
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *use(void *unused) {
  (void)unused;
  ++*block;  // @use
  return NULL;
}

int main(void) {
  block = malloc(sizeof *block);
  free(block);
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
