// The second value is written under another lock than the first. (SCTBench: twostage_N.)
#include "bugs.h"

#ifndef N
#define N 4
#endif
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void* write_both(void* unused) {
  pthread_mutex_lock(&first_lock);
  first = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  second = first + 1;
  pthread_mutex_unlock(&second_lock);
  return unused;
}
static void* read_both(void* unused) {
  pthread_mutex_lock(&first_lock);
  const int one = first;
  pthread_mutex_unlock(&first_lock);
  if (one == 0) return unused;
  pthread_mutex_lock(&second_lock);
  const int two = second;
  pthread_mutex_unlock(&second_lock);
  assert(two == one + 1);
  return unused;
}

int main(void) {
  for (int i = 0; i < N - 1; ++i) start(write_both, 0);
  start(read_both, 0);
  join_all();
}
