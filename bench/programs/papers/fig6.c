// Figures 1 and 6 of the OOPSLA'16 paper ("Example"), benchmarks 2.2.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int x, y, z;

static void* reader(void* unused) {
  for (int i = 0; i < N; ++i)
    if (z == 1)
      if (x + 1 != y) {
#if N == 1  // from a second round on, sequential consistency comes here, too: with the next round's x
        property(0);
#endif
        (void)x;
        (void)y;
      }
  return NULL;
}

static void writer(void) {
  for (int i = 0; i < N; ++i) {
    z = 0;
    x = 0;
    y = 0;
    x = 2;
    y = 3;
    z = 1;
  }
}

int main(void) {
  void* (*const routines[])(void*) = {reader};
  run_threads(routines, 1, writer);
  return 0;
}
