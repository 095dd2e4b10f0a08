// Destroyed before the first fork: the thread fails, whatever others do, and a check that goes on has nothing more to ask about it.
// OPTIONS: --keep-going
// CHECK: verdict=bug kind=lock-misuse line=@lock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);  // @lock
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_mutex_destroy(&mutex);
  pthread_t other;
  pthread_create(&other, NULL, use, NULL);
  pthread_join(other, NULL);
}
