// Racey of MPC (paper 003), the part that threads share, a barrier that is left after some turns: benchmarks 4.2.
#include "start.h"
#ifndef THREADS
#define THREADS 3
#endif
#ifndef TURNS
#define TURNS 10
#endif

static shared_int left = THREADS;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* process(void* unused) {
  pthread_mutex_lock(&m);
#ifdef ONE_STEP  // the decrement, as the benchmark's description counts paths
  const int now = __atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST);
#else
  left = left - 1;
  const int now = left;
#endif
  int last = 0;
  if (now == 0) last = 1;
  pthread_mutex_unlock(&m);
  int k = TURNS;
  while (left != 0 && k-- != 0) {
  }
  (void)last;
  return unused;
}

int main(void) {
  void* (*routines[THREADS])(void*);
  for (int n = 0; n < THREADS; ++n) routines[n] = process;
  run_threads(routines, THREADS, NULL);
  return 0;
}
