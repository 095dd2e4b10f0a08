// A loop that hands out what its last turn has seen, in turns of two operations.
// EXPLORERS: all
// OPTIONS: --races off
// OUTCOMES: "00" "01" "11" "10"
// CHECK: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;

static void* other(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int a = 0, b = 0;
  for (int i = 0; i < 3; ++i) {
    a = atomic_load(&x);
    b = atomic_load(&y);
    if (a == 5) break;
  }
  printf("%d%d", a, b);
  pthread_join(thread, NULL);
  return 0;
}
