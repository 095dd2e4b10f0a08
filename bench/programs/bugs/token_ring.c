// Each hands on what its neighbour has; in one order only do all have the same. (SCTBench: token_ring.)
#include "bugs.h"

static volatile int token[4] = {1};

static void* hand_on(void* argument) {
  const intptr_t me = (intptr_t)argument;
  token[me] = token[me - 1];
  return NULL;
}

int main(void) {
  for (int i = 1; i < 4; ++i) start(hand_on, i);
  join_all();
  assert(token[3] == 1);
}
