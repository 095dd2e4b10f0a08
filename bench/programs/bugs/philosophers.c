// Everybody takes the left fork first. (SCTBench: din_phil_N.)
#include "bugs.h"

#ifndef N
#define N 5
#endif
static pthread_mutex_t fork_of[N];

static void* eat(void* argument) {
  const intptr_t me = (intptr_t)argument;
  pthread_mutex_lock(&fork_of[me]);
  pthread_mutex_lock(&fork_of[(me + 1) % N]);
  pthread_mutex_unlock(&fork_of[(me + 1) % N]);
  pthread_mutex_unlock(&fork_of[me]);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; ++i) pthread_mutex_init(&fork_of[i], NULL);
  for (int i = 0; i < N; ++i) start(eat, i);
  join_all();
}
