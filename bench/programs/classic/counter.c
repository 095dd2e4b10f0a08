// One thread increments a counter N times, the other decrements it N times, without protection.
#include "classic.h"

static atomic_int c;

static void* up(void* unused) {
  for (int k = 0; k < N; ++k) set(c, get(c) + 1);
  return NULL;
}

static void* down(void* unused) {
  for (int k = 0; k < N; ++k) set(c, get(c) - 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  start(threads[0], up, 0);
  start(threads[1], down, 1);
  finish(threads[0]);
  finish(threads[1]);
  const int last = get(c);
  assert(-N <= last && last <= N);
  return 0;
}
