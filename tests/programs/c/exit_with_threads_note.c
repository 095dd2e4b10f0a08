// main may end the program at any time: a note. What the worker can do until then counts all the same.
// CHECK: verdict=bug kind=assertion
// CHECK-FIXED: verdict=safe
// NOTES-FIXED: exit-with-threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* worker(void* unused) {
  x = 1;
#ifndef FIXED
  assert(x != 2);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  x = 2;
  return x > 2;
}
