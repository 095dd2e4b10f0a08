// N writers of one and the same value, one reader: (N + 1)! orders of the writes, two values to read.
#include "classic.h"

static atomic_int x;

static void* reader(void* unused) {
  const int seen = get(x);
  assert(seen == 0 || seen == 1);
  return NULL;
}

static void* writer(void* unused) {
  set(x, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  for (int i = 0; i < N; ++i) start(threads[i], writer, i);
  start(threads[N], reader, N);
  for (int i = 0; i <= N; ++i) finish(threads[i]);
  return 0;
}
