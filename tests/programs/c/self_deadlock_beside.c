// A deadlock is who waits for what: whether the second thread waits, too, is not part of it.
// CHECK: verdict=bug kind=deadlock line=@second
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* twice(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);  // @second
  return unused;
}

static void* once(void* unused) {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, twice, NULL);
  pthread_create(&b, NULL, once, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
