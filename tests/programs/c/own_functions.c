// A program that defines functions of the C library itself gets its own. Broken: they count without a lock.
// CHECK: verdict=bug kind=race|assertion
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FIXED
static atomic_long written;
#else
static long written;
#endif

ssize_t write(int descriptor, const void* data, size_t size) {
  (void)descriptor, (void)data;
  written += (long)size;
  return (ssize_t)size;
}
ssize_t read(int descriptor, void* data, size_t size) {
  (void)descriptor, (void)data;
  return (ssize_t)size + 1;
}
int rand(void) { return 7; }

static void* other(void* unused) {
  write(1, "ab", 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  write(1, "abc", 3);
  pthread_join(thread, NULL);
  char byte;
  assert(written == 5 && rand() == 7 && read(0, &byte, 1) == 2);
  return 0;
}
