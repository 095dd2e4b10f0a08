// Setters write a, then b; a checker between the two sees what nobody meant. (SCTBench: reorder_N.)
#include "bugs.h"

#ifndef N
#define N 4
#endif
static volatile int a, b;

static void* set(void* unused) {
  a = 1;
  b = -1;
  return unused;
}
static void* check(void* unused) {
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
  return unused;
}

int main(void) {
  for (int i = 0; i < N - 1; ++i) start(set, 0);
  start(check, 0);
  join_all();
}
