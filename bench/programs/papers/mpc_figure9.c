// Figure 9 of MPC (paper 003), N=1..5: benchmarks 4.9.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int x;

static void* reset(void* unused) {
  for (int i = 0; i < N; ++i) {
    int t = x;
    t = t + 1;
    x = t;
    if (x == t) x = 0;
  }
  return unused;
}

static void* count(void* unused) {
  for (int i = 0; i < N; ++i) x = x + 1;
  return unused;
}

int main(void) {
  void* (*const routines[])(void*) = {reset, count};
  run_threads(routines, 2, NULL);
#ifdef PROPERTY
  property(x != 2 * N);
#else
  if (x == 2 * N) x = 0;
#endif
  return 0;
}
