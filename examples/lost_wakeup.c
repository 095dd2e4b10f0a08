// A flag and a condition variable, but the flag is tested before the lock is taken: the signal may come in between,
// when nobody waits yet, and the waiter then sleeps for ever.
//
//   plait check examples/lost_wakeup.c
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* worker(void* unused) {
  (void)unused;
  ready = 1;
  pthread_cond_signal(&ready_changed);  // without the mutex: may fall between the test and the wait
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  if (!ready) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready_changed, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
