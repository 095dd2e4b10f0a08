// aget of MPC's Table 3 (paper 003; ConCREST), with pieces of a constant size: benchmarks 4.8.
#include "start.h"
#ifndef PIECES
#define PIECES 2
#endif

static shared_int written;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* download(void* unused) {
  const int piece = 10;
  pthread_mutex_lock(&m);
  written = written + piece;
  pthread_mutex_unlock(&m);
  int before = written;
  for (int n = 1; n < PIECES; ++n) {
    pthread_mutex_lock(&m);
    written = written + piece;
    pthread_mutex_unlock(&m);
    if (before + piece != written) property(!"another's");
    before = written;
  }
  return unused;
}

int main(void) {
  void* (*const routines[])(void*) = {download, download};
  run_threads(routines, 2, NULL);
  return 0;
}
