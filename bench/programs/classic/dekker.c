// Dekker's mutual exclusion, one round for each of two threads, which give up after N tries to get in.
#include "classic.h"

static atomic_int flag[2], turn, owner;

static void* process(void* argument) {
  const int me = number_of(argument), other = 1 - me;
  set(flag[me], 1);
  for (int tries = 0; get(flag[other]); ++tries) {
    await(tries < N);
    if (get(turn) == me) continue;
    set(flag[me], 0);
    await(get(turn) == me);
    set(flag[me], 1);
  }
  set(owner, me);
  assert(get(owner) == me);
  set(turn, other);
  set(flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) start(threads[i], process, i);
  for (int i = 0; i < 2; ++i) finish(threads[i]);
  return 0;
}
