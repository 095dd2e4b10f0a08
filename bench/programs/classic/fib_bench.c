// Two threads add each other's variable to their own, N times each; main looks at both while they run.
#include "classic.h"

static atomic_int i = 1, j = 1;

static void* first(void* unused) {
  for (int k = 0; k < N; ++k) set(i, get(i) + get(j));
  return NULL;
}

static void* second(void* unused) {
  for (int k = 0; k < N; ++k) set(j, get(j) + get(i));
  return NULL;
}

int main(void) {
  int largest = 1, before = 1;  // Fibonacci number 2N + 2
  for (int k = 0; k < 2 * N; ++k) {
    const int sum = largest + before;
    before = largest, largest = sum;
  }
  pthread_t threads[2];
  start(threads[0], first, 0);
  start(threads[1], second, 1);
  const int seen_i = get(i), seen_j = get(j);
  assert(seen_i <= largest && seen_j <= largest);
  finish(threads[0]);
  finish(threads[1]);
  return 0;
}
