// Bakery with bounded waits, without a tie-break: benchmarks 2.5.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int enter[2], number[2], x, error;

static void* worker(void* index) {
  const int i = (int)(long)index;
  int n1 = 0, n2 = 0, m = 0;
  enter[i] = 1;
  for (int k = 0; k < 2; ++k)
    if (number[k] > m) m = number[k];
  number[i] = 1 + m;
  enter[i] = 0;
  for (int j = 0; j < 2; ++j) {
    while (enter[j] == 1)
      if (n1++ > N) break;
    while (number[j] != 0 && number[j] < number[i])
      if (n2++ > N) break;
  }
  x = i + 1;
#ifdef WITH_CHECK
  if (x != i + 1) property(0), error = 1;
#endif
  number[i] = 0;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {worker, worker};
  run_threads(routines, 2, NULL);
  return 0;
}
