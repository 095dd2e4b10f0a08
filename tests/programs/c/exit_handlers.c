// Exit handlers run in the reverse order of their registration, also those that threads registered, and one that a handler registers.
// CHECK: verdict=safe
// OUTCOMES: "last\na\nb\nmain\n" "last\nb\na\nmain\n"
// EXPLORERS: all
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void say_a(void) { puts("a"); }
static void say_b(void) { puts("b"); }
static void say_main(void) { puts("main"); }
static void say_last(void) { puts("last"); }
static void registers_last(void) { atexit(say_last); }

static void* a(void* unused) {
  atexit(say_a);
  return unused;
}
static void* b(void* unused) {
  atexit(say_b);
  return unused;
}

int main() {
  atexit(say_main);
  pthread_t x, y;
  pthread_create(&x, NULL, a, NULL);
  pthread_create(&y, NULL, b, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  atexit(registers_last);
  return 0;
}
