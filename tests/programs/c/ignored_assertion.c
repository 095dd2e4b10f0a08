// What comes behind an ignored failure, on another path, is found.
// CHECK: verdict=bug kind=deadlock
// OPTIONS: --ignore assertion
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
