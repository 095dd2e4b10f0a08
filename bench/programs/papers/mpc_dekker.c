// Dekker1 and Dekker2 of MPC (paper 003), which are Peterson's algorithm: benchmarks 4.3. -DSYMBOLIC: of any beginning.
#include <plait.h>

#include "start.h"
#ifndef P
#define P 20
#endif

static shared_int flag[2], turn = 1, counter;

static void* enter(void* number) {
  const int me = (int)(long)number, other = 1 - me;
  int tries = P;
  flag[me] = 1;
  turn = other;
  while (tries-- && flag[other] == 1 && turn == other) {
  }
  counter = counter + 1;
  flag[me] = 0;
  return NULL;
}

int main(void) {
#ifdef SYMBOLIC
  int any[4];
  plait_input(any, sizeof any, "any");
  flag[0] = any[0];
  flag[1] = any[1];
  turn = any[2];
  counter = any[3];
#endif
  void* (*const routines[])(void*) = {enter, enter};
  run_threads(routines, 2, NULL);
  return 0;
}
