// Relaxed accesses that order nothing, beside locks, forks, joins, conditions and semaphores that do: no race.
// CHECK: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int hint;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int guarded, is_set, posted, joined;

static void* other(void* unused) {
  (void)unused;
  joined = 1;
  posted = 1;
  sem_post(&semaphore);
  pthread_mutex_lock(&mutex);
  guarded = 1;
  is_set = 1;
  atomic_store_explicit(&hint, 1, memory_order_relaxed);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  sem_wait(&semaphore);
  assert(posted == 1);
  pthread_mutex_lock(&mutex);
  while (!is_set) pthread_cond_wait(&condition, &mutex);
  assert(guarded == 1 && atomic_load_explicit(&hint, memory_order_relaxed) == 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(joined == 1);
}
