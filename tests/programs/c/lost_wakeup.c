// The condition is tested before the mutex is taken: the signal may come before the wait.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static int is_ready(void) {
  pthread_mutex_lock(&mutex);
  int result = ready;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void* waiter(void* unused) {
#ifdef FIXED
  (void)is_ready;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
#else
  if (!is_ready()) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
  }
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
