// Destroyed while another thread may still use it. FIXED: destroyed in time, and alive again: an initialiser is stored to the same address, or an
// initialising function is called.
// CHECK: verdict=bug kind=lock-misuse line=@lock|@destroy
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
#include <pthread.h>
#include <semaphore.h>

struct shared {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  int count;
};

static void *use(void *argument) {
  struct shared *shared = argument;
  pthread_mutex_lock(&shared->mutex);  // @lock
  ++shared->count;
  pthread_cond_signal(&shared->condition);
  pthread_mutex_unlock(&shared->mutex);
#ifdef FIXED
  sem_post(&shared->semaphore);
#endif
  return NULL;
}

static __attribute__((noinline)) void once(void) {
  struct shared shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
  sem_init(&shared.semaphore, 0, 0);
  pthread_t other;
  pthread_create(&other, NULL, use, &shared);
#ifdef FIXED
  pthread_mutex_lock(&shared.mutex);
  while (shared.count == 0) pthread_cond_wait(&shared.condition, &shared.mutex);
  pthread_mutex_unlock(&shared.mutex);
  sem_wait(&shared.semaphore);
#endif
  pthread_mutex_destroy(&shared.mutex);  // @destroy
  pthread_cond_destroy(&shared.condition);
  sem_destroy(&shared.semaphore);
  pthread_join(other, NULL);
}

int main(void) {
  once();
#ifdef FIXED
  once();
#endif
}
