// Counter: benchmarks 3.1.
#include "start.h"
#ifndef MAX
#define MAX 5
#endif

static shared_int c;

static void* up(void* unused) {
  for (int i = 0; i < MAX; ++i) c = c + 1;
  return NULL;
}

static void* down(void* unused) {
  for (int i = 0; i < MAX; ++i) c = c - 1;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {up, down};
  run_threads(routines, 2, NULL);
  return 0;
}
