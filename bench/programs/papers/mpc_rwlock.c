// Linuxrwlock of MPC (paper 003): benchmarks 4.5.
#include <plait.h>

#include "start.h"
#ifndef T
#define T 2
#endif
#ifndef K
#define K 5
#endif

static shared_int lk = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int add(int by) {
  pthread_mutex_lock(&m);
  const int before = lk;
  lk = before + by;
  pthread_mutex_unlock(&m);
  return before;
}

static void* use(void* number) {
  const char name[] = {'k', (char)('1' + (long)number), 0};
  unsigned k;
  plait_input(&k, sizeof k, name);
  if (k > K) return NULL;
  for (unsigned n = 0; n < k; ++n) {
    if (add(-1) == 1)
      add(1);  // had it, unlocks
    else
      add(1);  // did not get it
  }
  return NULL;
}

int main(void) {
  void* (*routines[T])(void*);
  for (int n = 0; n < T; ++n) routines[n] = use;
  run_threads(routines, T, NULL);
  return 0;
}
