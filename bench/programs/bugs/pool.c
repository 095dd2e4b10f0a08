// Workers take jobs from a queue; the flag that ends them is looked at outside of the lock, so one can sleep for ever.
#include "bugs.h"

#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs, done;
static atomic_int over;

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!jobs && !over) pthread_cond_wait(&changed, &lock);
    if (!jobs) break;
    --jobs;
    ++done;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; ++i) start(work, 0);
  for (int i = 0; i < N; ++i) {
    pthread_mutex_lock(&lock);
    ++jobs;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  over = 1;
  pthread_cond_broadcast(&changed);
  join_all();
  assert(done == N);
}
