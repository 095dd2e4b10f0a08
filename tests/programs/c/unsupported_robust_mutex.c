// Robust mutexes are refused by name, not silently treated as normal ones.
// CHECK: verdict=inconclusive
#include <pthread.h>

static pthread_mutex_t mutex;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;  // dies with the lock held
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  return 0;
}
