// The reader-writer lock of old Linux kernels (a counter with a bias): two writers, N readers, one section each.
#include "classic.h"

enum { kBias = 0x100000 };

static atomic_int lock = kBias, left, right;

static void* writer(void* argument) {
  await(atomic_fetch_sub(&lock, kBias) == kBias);
  set(left, number_of(argument));
  set(right, number_of(argument));
  atomic_fetch_add(&lock, kBias);
  return NULL;
}

static void* reader(void* unused) {
  await(atomic_fetch_sub(&lock, 1) > 0);
  assert(get(left) == get(right));
  atomic_fetch_add(&lock, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 2];
  start(threads[N], writer, 1);
  start(threads[N + 1], writer, 2);
  for (int i = 0; i < N; ++i) start(threads[i], reader, i);
  for (int i = 0; i < N + 2; ++i) finish(threads[i]);
  return 0;
}
