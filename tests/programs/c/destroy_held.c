// A mutex destroyed while the other thread may hold it.
// CHECK: verdict=bug kind=lock-misuse line=@destroy|@lock
// CHECK-FIXED: verdict=safe
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);  // @lock
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&mutex);
#else
  pthread_mutex_destroy(&mutex);  // @destroy
  pthread_join(thread, NULL);
#endif
  return 0;
}
