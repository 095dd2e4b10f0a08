// A byte that was given the value that fresh memory has (0xbe) is another state than one without a value: threads that
// differ in this alone are not merged.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first, second;

static void *reader(void *unused) {
  (void)unused;
  unsigned char *byte = malloc(1);
#ifdef FIXED
  *byte = 1;
#endif
  if (atomic_load(&first)) *byte = 0xbe;
  if (atomic_load(&second) && *byte == 5) abort();  // @use
  free(byte);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  atomic_store(&first, 1);
  atomic_store(&second, 1);
  pthread_join(thread, NULL);
}
