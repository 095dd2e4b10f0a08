// A mutex whose memory is freed while another thread waits for it.
// CHECK: verdict=bug kind=use-after-free line=@lock
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *use(void *unused) {
  (void)unused;
  pthread_mutex_lock(mutex);  // @lock
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(void) {
  mutex = calloc(1, sizeof *mutex);
  pthread_t other;
  pthread_mutex_lock(mutex);
  pthread_create(&other, NULL, use, NULL);
#ifdef FIXED
  pthread_mutex_unlock(mutex);
  pthread_join(other, NULL);
  free(mutex);
#else
  free(mutex);
  pthread_join(other, NULL);
#endif
}
