// N threads move money between two accounts under one mutex: N! orders, all with the same end.
#include "classic.h"

static pthread_mutex_t lock;
static int from = 100 * N, to;  // protected by the lock

static void* mover(void* argument) {
  pthread_mutex_lock(&lock);
  from = from - number_of(argument);
  to = to + number_of(argument);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  pthread_mutex_init(&lock, NULL);
  for (int i = 0; i < N; ++i) start(threads[i], mover, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  assert(from + to == 100 * N);
  return 0;
}
