// Lamport's bakery for two threads; the critical section counts.
#include "orders.h"

static SHARED(int) choosing[2], number[2], counter;

static void* worker(void* argument) {
  const int me = (int)(intptr_t)argument, other = 1 - me;
  set(choosing[me], 1);
  STORE_LOAD_FENCE;
  const int mine = get(number[other]) + 1;
  set(number[me], mine);
  STORE_STORE_FENCE;
  set(choosing[me], 0);
  STORE_LOAD_FENCE;
  while (get(choosing[other])) {
  }
  for (;;) {
    const int theirs = get(number[other]);
    if (theirs == 0 || theirs > mine || (theirs == mine && me < other)) break;
  }
  set(counter, get(counter) + 1);
  STORE_STORE_FENCE;
  set(number[me], 0);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  assert(get(counter) == 2);
  return 0;
}
