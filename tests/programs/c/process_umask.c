// The mask of file modes belongs to the process: threads see each other's changes, and each run begins with the same one.
// CHECK: verdict=bug kind=assertion|abort line=@seen
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

static void* changes(void* unused) {
  umask(077);
  return unused;
}

static void* looks(void* unused) {
#ifdef FIXED
  umask(077);
#else
  if (umask(022) == 077) abort();  // @seen
#endif
  return unused;
}

int main() {
  const mode_t first = umask(027);
  umask(first);
  assert(first != 077);  // what an earlier run has left behind
  pthread_t a, b;
  pthread_create(&a, NULL, looks, NULL);
  pthread_create(&b, NULL, changes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FIXED
  assert(umask(first) == 077);
  umask(077);
#endif
  return 0;
}
