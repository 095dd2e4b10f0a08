// The same state, the mutex held once or twice: on one way the store is not protected.
// CHECK: verdict=bug kind=race line=@one|@two
// FLAGS: -D_GNU_SOURCE
// OPTIONS: --ignore deadlock
// SELF-CHECK: off (exhaustive does not look for races)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int g;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void* nested(void* unused) {
  pthread_mutex_lock(&m);
  if (x) pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  g = 1;  // @one
  return unused;
}

static void* plain(void* unused) {
  pthread_mutex_lock(&m);
  g = 2;  // @two
  pthread_mutex_unlock(&m);
  return unused;
}

static void* hint(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, nested, NULL);
  pthread_create(&b, NULL, plain, NULL);
  pthread_create(&c, NULL, hint, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
