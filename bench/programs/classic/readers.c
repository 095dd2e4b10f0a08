// One writer, N readers: 2^N combinations of what they see.
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
  start(threads[N], writer, N);
  for (int i = 0; i < N; ++i) start(threads[i], reader, i);
  for (int i = 0; i <= N; ++i) finish(threads[i]);
  return 0;
}
