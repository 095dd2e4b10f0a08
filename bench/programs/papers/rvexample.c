// Example / RVExample: benchmarks 1.1, Figure 2 of the PLDI'15 paper. N repeats line 3.
#include "start.h"
#ifndef N
#define N 1
#endif

static shared_int x, y, error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* second(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    x = 0;
    pthread_mutex_unlock(&lock);
    if (x > 0) {
      y = y + 1;
      x = 2;
    }
  }
  return unused;
}

static void* third(void* unused) {
  for (int i = 0; i < 2; ++i)
    if (x > 1) {
      if (y == 3) {
        property(0);
        error = 1;
      } else {
        y = 2;
      }
    }
  return NULL;
}

static void first(void) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    x = 1;
    for (int k = 0; k < N; ++k) y = 1;
    pthread_mutex_unlock(&lock);
  }
}

int main(void) {
  void* (*const routines[])(void*) = {second, third};
  run_threads(routines, 2, first);
  return 0;
}
