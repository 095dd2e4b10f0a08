// BubbleSort: benchmarks 1.5. INPUT 2: {4334, 12}, two threads; INPUT 4: {463, 0, 2435, 89}, four threads. FIXED sorts
// under a lock.
#include "start.h"
#ifndef INPUT
#define INPUT 2
#endif

#if INPUT == 2
static shared_int a[INPUT] = {4334, 12};
#else
static shared_int a[INPUT] = {463, 0, 2435, 89};
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* sorter(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  for (int i = 0; i + 1 < INPUT; ++i)
    if (a[i] > a[i + 1]) {
      const int first = a[i], second = a[i + 1];
      a[i] = second;
      a[i + 1] = first;
    }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  void* (*routines[INPUT])(void*);
  for (int i = 0; i < INPUT; ++i) routines[i] = sorter;
  run_threads(routines, INPUT, NULL);
#ifdef PROPERTY
  for (int i = 0; i + 1 < INPUT; ++i) property(a[i] <= a[i + 1]);
#endif
  return 0;
}
