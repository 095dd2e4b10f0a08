// A thread unlocks what another has locked.
// CHECK: verdict=bug kind=lock-misuse line=@unlock
// CHECK-FIXED: verdict=safe
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_unlock(&mutex);  // @unlock
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
