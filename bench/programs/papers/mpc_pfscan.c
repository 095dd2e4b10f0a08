// pfscan of MPC's Table 3 (paper 003; ConCREST): a queue of files, two workers: benchmarks 4.8.
#include "start.h"
#ifndef FILES
#define FILES 4
#endif

static shared_int occupied = FILES, closed = 1, next_out, matches, active = 2;
static pthread_mutex_t q = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  int got = 0;
  pthread_mutex_lock(&q);
  if (occupied > 0) {
    next_out = next_out + 1;
    occupied = occupied - 1;
    got = 1;
  }
  pthread_mutex_unlock(&q);
  return got;
}

static void* worker(void* unused) {
  while (get()) {
    const int before = matches;
    matches = before + 1;
    if (before + 1 != matches) property(!"lost");
  }
  pthread_mutex_lock(&q);
  active = active - 1;
  pthread_mutex_unlock(&q);
  return unused;
}

int main(void) {
  void* (*const routines[])(void*) = {worker, worker};
  run_threads(routines, 2, NULL);
  return 0;
}
