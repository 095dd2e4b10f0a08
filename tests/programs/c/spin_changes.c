// A loop that looks like one that tries, but a turn that goes on has changed something: it is followed as it is written.
// If it were over after one turn, main would not find two ones.
// EXPLORERS: all
// OPTIONS: --races off
// OUTCOMES: "00" "01" "10" "11"
// CHECK: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void* other(void* unused) {
  for (int i = 0; i < 2; ++i)
    if (atomic_exchange(&x, 1) == 5) break;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  const int a = atomic_exchange(&x, 0), b = atomic_exchange(&x, 0);
  printf("%d%d", a, b);
  pthread_join(thread, NULL);
  return 0;
}
