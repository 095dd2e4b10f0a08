// Spinlock1 (T=2, K=5) and Spinlock2 (T=3, K=3) of MPC (paper 003): benchmarks 4.4.
#include <plait.h>

#include "start.h"
#ifndef T
#define T 2
#endif
#ifndef K
#define K 5
#endif

static shared_int lk;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* use(void* number) {
  const char name[] = {'k', (char)('1' + (long)number), 0};
  unsigned k;
  plait_input(&k, sizeof k, name);
  if (k > K) return NULL;
  for (unsigned n = 0; n < k; ++n) {
    pthread_mutex_lock(&m);
    const int ok = lk == 0;
    if (ok) lk = 1;
    pthread_mutex_unlock(&m);
    if (ok) lk = 0;
  }
  return NULL;
}

int main(void) {
  void* (*routines[T])(void*);
  for (int n = 0; n < T; ++n) routines[n] = use;
  run_threads(routines, T, NULL);
  return 0;
}
