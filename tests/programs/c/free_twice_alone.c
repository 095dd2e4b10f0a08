// A thread that frees its own block twice fails whatever others do: a check that goes on has nothing more to ask about it.
// OPTIONS: --keep-going
// CHECK: verdict=bug kind=double-free line=@free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *twice(void *unused) {
  (void)unused;
  int *block = malloc(sizeof *block);
  ++x;
  free(block);
  free(block);  // @free
  return NULL;
}

static void *other(void *unused) {
  (void)unused;
  ++x;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, twice, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
