// Dekker's algorithm; the critical section counts.
#include "orders.h"

static SHARED(int) flag[2], turn, counter;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument, other = 1 - me;
  set(flag[me], 1);
  STORE_LOAD_FENCE;
  while (get(flag[other])) {
    if (get(turn) == me) continue;
    set(flag[me], 0);
    while (get(turn) != me) {
    }
    set(flag[me], 1);
    STORE_LOAD_FENCE;
  }
  set(counter, get(counter) + 1);
  STORE_STORE_FENCE;
  set(turn, other);
  set(flag[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  assert(get(counter) == 2);
  return 0;
}
