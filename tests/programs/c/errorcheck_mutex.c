// The errors of an error-checking mutex, and who gets them.
// CHECK: verdict=safe
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void* other(void* unused) {
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  int error = pthread_mutex_trylock(&mutex);
  assert(error == 0 || error == EBUSY);
  if (!error) assert(pthread_mutex_unlock(&mutex) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0);
  pthread_join(thread, NULL);
  return 0;
}
