// Every run may be cut off before the third thread gets to its second store: what it does then is not known, and matters.
// CHECK: verdict=bug kind=assertion line=@check
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int p, g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  if (p) g = 3;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  plait_assume(0);
  return unused;
}

static void* second(void* unused) {
  assert(p == 0);  // @check
  return unused;
}

static void* third(void* unused) {
  g = 2;
#ifndef FIXED
  p = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, third, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
