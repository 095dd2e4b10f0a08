// An ignored failure ends its run and hides nothing else.
// CHECK: verdict=safe
// NOTES: assertion deadlock
// OPTIONS: --ignore assertion,deadlock
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&m);
  ++x;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
}
