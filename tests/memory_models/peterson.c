// Peterson's algorithm. The critical section counts; a lost update shows that two threads were in it, or that what the
// first one wrote there came too late.
#include "orders.h"

static SHARED(int) flag[2], turn, counter;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument, other = 1 - me;
  set(flag[me], 1);
  STORE_STORE_FENCE;
  set(turn, other);
  STORE_LOAD_FENCE;
  while (get(flag[other]) && get(turn) == other) {
  }
  set(counter, get(counter) + 1);
  STORE_STORE_FENCE;
  set(flag[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  assert(get(counter) == 2);
  return 0;
}
