// A thread hands out the address of its local and ends.
// CHECK: verdict=bug kind=use-after-scope line=@write
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) published;

static void *owner(void *unused) {
  (void)unused;
  atomic_int local = 0;
  published = &local;
#ifdef FIXED
  published = NULL;
  while (local == 1) {
  }
#endif
  return NULL;
}

static void *user(void *unused) {
  (void)unused;
#ifndef FIXED
  atomic_int *other = published;
  if (other) *other = 2;  // @write
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
