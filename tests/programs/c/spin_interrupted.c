// An attempt that another thread came between (the value that was just loaded has changed) counts: three attempts of a
// thread cannot all be spoiled by a single change.
// EXPLORERS: all
// OPTIONS: --races off
// OUTCOMES: "0 1" "1 1"
// CHECK: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count = 4;

static int take(void) {
  int left = 3;
  while (--left >= 0) {
    int seen = atomic_load(&count);
    if (seen > 0 && atomic_compare_exchange_strong(&count, &seen, seen - 1)) return 1;
  }
  return 0;
}

static void* other(void* unused) {
  atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  const int got = take();
  assert(got);
  printf("%d %d", atomic_load(&count) == 4, got);
  pthread_join(thread, NULL);
  return 0;
}
