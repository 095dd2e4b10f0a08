// The first thread is cut off before the second touches what both share: that it waits in vain tells nothing.
// CHECK: verdict=bug kind=assertion line=@check
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
// EXPLORERS: all
// MEMORY-MODELS: tso (pso lets the stores change places)
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static int ready, data;

static void* reader(void* unused) {
  plait_assume(ready);
  assert(data == 42);  // @check
  return unused;
}

static void* writer(void* unused) {
#ifdef FIXED
  data = 42;
#else
  data = 41;
#endif
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
