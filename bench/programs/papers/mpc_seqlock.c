// Seqlock of MPC (paper 003), T=3, K=3: benchmarks 4.7.
#include <plait.h>

#include "start.h"
#ifndef K
#define K 3
#endif

static shared_int seq, data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int compare_and_swap(int expected, int wanted) {
  pthread_mutex_lock(&m);
  const int ok = seq == expected;
  if (ok) seq = wanted;
  pthread_mutex_unlock(&m);
  return ok;
}

static unsigned times(const char* name) {
  unsigned k;
  plait_input(&k, sizeof k, name);
  return k;
}

static void write_once(void) {
  const int old = seq;
  if (old & 1) return;
  if (!compare_and_swap(old, old + 1)) return;
  data = 3;
  pthread_mutex_lock(&m);
  seq = seq + 1;
  pthread_mutex_unlock(&m);
}

static void read_once(void) {
  const int old = seq;
  if (old & 1) return;
  (void)data;
  const int now = seq;
  if (now == old) return;
}

static void* writer(void* unused) {
  const unsigned k = times("k1");
  if (k > K) return unused;
  for (unsigned n = 0; n < k; ++n) write_once();
  return unused;
}

static void* reader(void* number) {
  const char name[] = {'k', (char)('1' + (long)number), 0};
  const unsigned k = times(name);
  if (k > K) return NULL;
  for (unsigned n = 0; n < k; ++n) read_once();
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {writer, reader, reader};
  run_threads(routines, 3, NULL);
  return 0;
}
