// pthread_exit ends the local variables of all frames of its thread.
// CHECK: verdict=bug kind=use-after-scope line=@fails
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int*) place;

static void leaves(void) {
  int own = 3;
  place = &own;
  pthread_exit(NULL);
}

static void* short_lived(void* unused) {
  leaves();
  return unused;
}

static void* looks(void* unused) {
  int* its = place;
  if (its) *its = 5;  // @fails
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, short_lived, NULL);
  pthread_create(&b, NULL, looks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
