// Peterson's mutual exclusion, N rounds for each of two threads.
#include "classic.h"

static atomic_int flag[2], turn, owner;

static void* process(void* argument) {
  const int me = number_of(argument), other = 1 - me;
  for (int k = 0; k < N; ++k) {
    set(flag[me], 1);
    set(turn, other);
    await(!(get(flag[other]) && get(turn) == other));
    set(owner, me);
    assert(get(owner) == me);
    set(flag[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) start(threads[i], process, i);
  for (int i = 0; i < 2; ++i) finish(threads[i]);
  return 0;
}
