// Lamport's fast mutex with bounded waits: benchmarks 2.4. AS_IN_REPOSITORY has the two mistakes of the authors'
// program: the second thread writes the first one's number into y, and waits for its own b.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int b[3], x, y, s, error;

static void* worker(void* number) {
  const int me = (int)(long)number + 1;
#ifdef AS_IN_REPOSITORY
  const int name = 1, other = 2;
#else
  const int name = me, other = 3 - me;
#endif
  int n1 = 0, n2 = 0, n3 = 0, n4 = 0;
  for (;;) {
    if (n1++ > N) break;
    b[me] = 1;
    x = me;
    if (y != 0) {
      b[me] = 0;
      while (y != 0)
        if (n2++ > N) break;
      continue;
    }
    y = name;
    if (x != me) {
      b[me] = 0;
      while (b[other] >= 1)
        if (n3++ > N) break;
      if (y != me) {
        while (y != 0)
          if (n4++ > N) break;
        continue;
      }
    }
    break;
  }
  s = me;
#ifdef WITH_CHECK
  if (s != me) property(0), error = 1;
#endif
  y = 0;
  b[me] = 0;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {worker, worker};
  run_threads(routines, 2, NULL);
  return 0;
}
