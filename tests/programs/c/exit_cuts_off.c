// The program may end before one of its threads has stored, or between the two.
// CHECK: verdict=safe
// OUTCOMES: "2\n" "3\n"
// NOTES: exit-with-threads
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void* two(void* unused) {
  x = 2;
  return unused;
}

static void* three(void* unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, two, NULL);
  pthread_create(&b, NULL, three, NULL);
  pthread_join(b, NULL);
  printf("%d\n", x);
  return 0;
}
