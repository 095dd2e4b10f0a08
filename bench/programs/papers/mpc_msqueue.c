// MSQueue of MPC (paper 003), T=2, K=5: the queue of Michael and Scott, with compare-and-swaps under a mutex, and with
// indices in place of pointers: benchmarks 4.6.
#include <plait.h>

#include "start.h"
#ifndef K
#define K 5
#endif

// Node 1 is there from the start; index 0 is none.
static shared_int value_of[K + 2], next_of[K + 2], head = 1, tail = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int compare_and_swap(shared_int* at, int expected, int wanted) {
  pthread_mutex_lock(&m);
  const int ok = *at == expected;
  if (ok) *at = wanted;
  pthread_mutex_unlock(&m);
  return ok;
}

static void enqueue(int fresh) {
  value_of[fresh] = 1;
  int t;
  for (;;) {
    t = tail;
    const int next = next_of[t];
    const int again = tail;
    if (t == again && next == 0)
      if (compare_and_swap(&next_of[t], next, fresh)) break;
    compare_and_swap(&tail, t, next_of[t]);
  }
  compare_and_swap(&tail, t, fresh);
}

static int dequeue(void) {
  for (;;) {
    const int h = head, t = tail, next = next_of[h];
    if (head != h) continue;
    if (h == t) {
      if (next == 0) return 0;
      compare_and_swap(&tail, t, next);
    } else {
      const int value = value_of[next];
      if (compare_and_swap(&head, h, next)) return value;
    }
  }
}

static void* producer(void* unused) {
  unsigned k;
  plait_input(&k, sizeof k, "k1");
  if (k > K) return unused;
  for (unsigned n = 0; n < k; ++n) enqueue(2 + (int)n);
  return unused;
}

static void* consumer(void* unused) {
  unsigned k;
  plait_input(&k, sizeof k, "k2");
  if (k > K) return unused;
  for (unsigned n = 0; n < k; ++n) dequeue();
  return unused;
}

int main(void) {
  void* (*const routines[])(void*) = {producer, consumer};
  run_threads(routines, 2, NULL);
  return 0;
}
