// A counter without a lock, by many threads. (SV-COMP: sigma.)
#include "bugs.h"

#ifndef N
#define N 8
#endif
static volatile int sum;

static void* add(void* unused) {
  sum = sum + 1;
  return unused;
}

int main(void) {
  for (int i = 0; i < N; ++i) start(add, 0);
  join_all();
  assert(sum == N);
}
