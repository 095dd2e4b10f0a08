// Dekker with bounded waits: benchmarks 2.3.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int flag[3], turn = 1, x, error;

static void* worker(void* number) {
  const int me = (int)(long)number + 1, other = 3 - me;
  int n1 = 0, n2 = 0;
  flag[me] = 1;
  while (flag[other] == 1) {
    if (n2++ > N) break;
    if (turn != me) {
      flag[me] = 0;
      while (turn != me)
        if (n1++ > N) break;
      flag[me] = 1;
    }
  }
  x = me;
#ifdef WITH_CHECK
  if (x != me) property(0), error = 1;
#endif
  turn = other;
  flag[me] = 0;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {worker, worker};
  run_threads(routines, 2, NULL);
  return 0;
}
