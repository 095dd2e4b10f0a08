// One writer, N readers of one variable.
#include "start.h"
#ifndef N
#define N 8
#endif

static shared_int x;

static void* reader(void* unused) {
  (void)x;
  return NULL;
}
static void* writer(void* unused) {
  x = 1;
  return NULL;
}

int main(void) {
  void* (*routines[N + 1])(void*);
  for (int i = 0; i < N; ++i) routines[i] = reader;
  routines[N] = writer;
  run_threads(routines, N + 1, NULL);
  return 0;
}
