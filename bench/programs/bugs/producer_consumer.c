// One condition for "not empty" and "not full": a signal may wake the wrong one, and all sleep. (SV-COMP: sync02.)
#include "bugs.h"

#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void* produce(void* unused) {
  for (int i = 0; i < N; ++i) {
    pthread_mutex_lock(&lock);
    while (full) pthread_cond_wait(&changed, &lock);
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
static void* consume(void* unused) {
  for (int i = 0; i < N; ++i) {
    pthread_mutex_lock(&lock);
    while (!full) pthread_cond_wait(&changed, &lock);
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; ++i) {
    start(produce, 0);
    start(consume, 0);
  }
  join_all();
}
