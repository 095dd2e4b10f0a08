// Peterson with bounded waits: benchmarks 2.6.
#include "start.h"
#ifndef COUNT
#define COUNT 1
#endif

static shared_int flag[3], turn, x, error;

static void* worker(void* number) {
  const int me = (int)(long)number + 1, other = 3 - me;
  int c = 0;
  flag[me] = 1;
  turn = other;
  while (flag[other] == 1 && turn == other)
    if (c++ > COUNT) break;
  x = me;
#ifdef WITH_CHECK
  if (x != me) property(0), error = 1;
#endif
  flag[me] = 0;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {worker, worker};
  run_threads(routines, 2, NULL);
  return 0;
}
