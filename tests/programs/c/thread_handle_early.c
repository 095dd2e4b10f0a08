// pthread_create stores the handle after the thread has begun: the thread may look too early.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>

static pthread_t handle;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* looks(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  assert(pthread_equal(handle, pthread_self()));
  return unused;
}

int main() {
  pthread_mutex_lock(&mutex);
  pthread_create(&handle, NULL, looks, NULL);
  pthread_mutex_unlock(&mutex);
  pthread_join(handle, NULL);
  return 0;
}
