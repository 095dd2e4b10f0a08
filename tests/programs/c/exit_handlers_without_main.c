// The program ends with its last thread, after main's pthread_exit: exit handlers run then, too.
// CHECK: verdict=bug kind=assertion
// OPTIONS: --races off
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int last;

static void looks(void) { assert(last != 1); }
static void* a(void* unused) {
  last = 1;
  return unused;
}
static void* b(void* unused) {
  last = 2;
  return unused;
}

int main() {
  atexit(looks);
  pthread_t x, y;
  pthread_create(&x, NULL, a, NULL);
  pthread_create(&y, NULL, b, NULL);
  pthread_detach(x);
  pthread_detach(y);
  pthread_exit(NULL);
}
