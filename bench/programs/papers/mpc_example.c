// M_i of MPC (paper 003, Figure 2), i = EXTRA: benchmarks 4.1.
#include <limits.h>
#include <plait.h>

#include "start.h"
#ifndef EXTRA
#define EXTRA 0
#endif

static shared_int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  int i;
  plait_input(&i, sizeof i, "i");
  x = 2;
  y = 5;
  if (i == 3) {
    x = x + 1;
    pthread_mutex_lock(&l);
    y = y - 1;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void* second(void* unused) {
  x = 5;
  y = 0;
  if (x == 101 + EXTRA) {
    if (y == 2) property(!"crash");
  }
  return unused;
}

static void* third(void* unused) {
  x = 100;
  int j = (int)plait_input_range(INT_MIN, 2, "j");
  while (j-- > 0) {
    pthread_mutex_lock(&l);
    y = y + 1;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void* extra(void* number) {
  const char name[] = {'k', (char)('1' + ((long)number - 3)), 0};
  int k;
  plait_input(&k, sizeof k, name);
  if (k == 10) x = x + 1;
  return NULL;
}

int main(void) {
  void* (*routines[3 + EXTRA])(void*) = {first, second, third};
  for (int n = 0; n < EXTRA; ++n) routines[3 + n] = extra;
  run_threads(routines, 3 + EXTRA, NULL);
  return 0;
}
