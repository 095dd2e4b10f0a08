// BubbleSort: benchmarks 1.5, input {4334, 12}; FIXED sorts under a lock.
#include "start.h"

static shared_int a[2] = {4334, 12};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sorter(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (a[0] > a[1]) {
    const int first = a[0], second = a[1];
    a[0] = second;
    a[1] = first;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  void *(*const routines[])(void *) = {sorter, sorter};
  run_threads(routines, 2, NULL);
  return 0;
}
