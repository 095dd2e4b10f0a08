// Loops that try twice, each written in another way: what comes out is the same if every turn is followed
// (--merge off and the other explorers do that).
// EXPLORERS: all
// OPTIONS: --races off
// OUTCOMES: "000" "100" "110" "111"
// CHECK: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int first, second, third;

static int while_loop(void) {
  int left = 2;
  while (left-- > 0)
    if (atomic_load(&first)) return 1;
  return 0;
}

static int do_loop(void) {
  int tried = 0;
  do {
    int free = 1;
    if (atomic_compare_exchange_strong(&second, &free, 0)) return 1;
  } while (++tried < 2);
  return 0;
}

static int compared_behind(void) {
  int i;
  for (i = 0; i < 2; ++i)
    if (atomic_load(&third)) break;
  return i != 2;
}

static void* other(void* unused) {
  atomic_store(&first, 1);
  atomic_store(&second, 1);
  atomic_store(&third, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  const int c = compared_behind(), b = do_loop(), a = while_loop();
  printf("%d%d%d", a, b, c);
  pthread_join(thread, NULL);
  return 0;
}
