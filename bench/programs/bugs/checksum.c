// Many threads, each with its own slot, and one that takes the wrong one now and then.
#include "bugs.h"

#ifndef N
#define N 8
#endif
static atomic_int slot[N], sum;

static void* work(void* argument) {
  const intptr_t me = (intptr_t)argument;
  for (int i = 0; i < 4; ++i) {
    const int at = me == N - 1 && i == 3 ? 0 : (int)me;
    const int seen = slot[at];
    slot[at] = seen + 1;
    sum += 1;
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; ++i) start(work, i);
  join_all();
  int all = 0;
  for (int i = 0; i < N; ++i) all += slot[i];
  assert(all == sum);
}
