// A thread of a thread crashes.
// EXPECT: bug null-dereference
#include "terrible.h"

static void* crash(void* p) {
  *(volatile int*)nowhere = 1;
  return p;
}

static void deed(void) {
  pthread_t t;
  pthread_create(&t, 0, crash, 0);
  pthread_join(t, 0);
}
