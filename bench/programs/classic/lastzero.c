// N threads increment their left neighbour's entry into their own; one thread looks for the last zero from the right.
#include "classic.h"

static atomic_int array[N + 1];

static void* searcher(void* unused) {
  int i = N;
  while (get(array[i]) != 0) --i;
  assert(i >= 0);
  return NULL;
}

static void* adder(void* argument) {
  const int me = number_of(argument);
  set(array[me], get(array[me - 1]) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  start(threads[0], searcher, 0);
  for (int i = 1; i <= N; ++i) start(threads[i], adder, i);
  for (int i = 0; i <= N; ++i) finish(threads[i]);
  return 0;
}
