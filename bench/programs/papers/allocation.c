// Allocation (AllocationVector): benchmarks 1.4. Two workers allocate KEEP blocks each from a vector of SIZE; FREE_TOO:
// and free them again. FIXED: looking for a free block and marking it are one critical section. PROPERTY: a block given
// away twice is a failure.
#include "start.h"
#ifndef SIZE
#define SIZE 4
#endif
enum { KEEP = 2, kNone = -1, kAllocation = -2, kFreeing = -3 };

static shared_int block[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

static int first_free(void) {
  for (int i = 0; i < SIZE; ++i)
    if (block[i] == 0) return i;
  return kNone;
}

/// False: it is marked so already.
static int mark(int i, int as) {
  if (block[i] == as) return 0;
  block[i] = as;
  return 1;
}

static long allocate_and_free(void) {
  int result[KEEP];
  for (int j = 0; j < KEEP; ++j) {
    enter();
    result[j] = first_free();
#ifndef FIXED
    leave();
    if (result[j] == kNone) continue;
    enter();
#endif
    const int marked = result[j] == kNone || mark(result[j], 1);
    leave();
    if (!marked) return kAllocation;
  }
#ifdef FREE_TOO
  for (int j = 0; j < KEEP; ++j) {
    if (result[j] == kNone) continue;
    enter();
    const int marked = mark(result[j], 0);
    leave();
    if (!marked) return kFreeing;
  }
#endif
  return 0;
}

static void* worker(void* unused) { return (void*)allocate_and_free(); }

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    property((long)result == 0);
  }
  return 0;
}
