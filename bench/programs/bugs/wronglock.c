// One thread protects the data with a lock of its own. (SCTBench: wronglock_N.)
#include "bugs.h"

#ifndef N
#define N 4
#endif
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static volatile int data;

static void* with_right(void* unused) {
  pthread_mutex_lock(&right);
  const int before = data;
  data = data + 1;
  assert(data == before + 1);
  pthread_mutex_unlock(&right);
  return unused;
}
static void* with_wrong(void* unused) {
  pthread_mutex_lock(&wrong);
  data = data + 1;
  pthread_mutex_unlock(&wrong);
  return unused;
}

int main(void) {
  for (int i = 0; i < N - 1; ++i) start(with_right, 0);
  start(with_wrong, 0);
  join_all();
}
