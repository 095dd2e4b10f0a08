// A sequence lock: one writer writes a pair twice, N readers read it once each and keep only what is consistent.
#include "classic.h"

static atomic_int sequence, left, right;

static void* writer(void* unused) {
  for (int k = 1; k <= 2; ++k) {
    atomic_fetch_add(&sequence, 1);
    set(left, k);
    set(right, k);
    atomic_fetch_add(&sequence, 1);
  }
  return NULL;
}

static void* reader(void* unused) {
  const int before = get(sequence);
  await((before & 1) == 0);
  const int a = get(left), b = get(right);
  await(get(sequence) == before);
  assert(a == b);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  start(threads[N], writer, N);
  for (int i = 0; i < N; ++i) start(threads[i], reader, i);
  for (int i = 0; i <= N; ++i) finish(threads[i]);
  return 0;
}
