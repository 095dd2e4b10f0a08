// Store buffering in a ring of N threads: each stores its own variable and loads its neighbour's. Not all can see 0.
#include "classic.h"

static atomic_int x[N], seen[N];

static void* member(void* argument) {
  const int me = number_of(argument);
  set(x[me], 1);
  set(seen[me], get(x[(me + 1) % N]));
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) start(threads[i], member, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  int sum = 0;
  for (int i = 0; i < N; ++i) sum += get(seen[i]);
  assert(sum > 0);
  return 0;
}
