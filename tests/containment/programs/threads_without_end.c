// Threads without end.
// EXPECT: inconclusive out-of-resources
#include "terrible.h"

static void* idle(void* p) { return p; }

static void deed(void) {
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, idle, 0);
    pthread_join(t, 0);
  }
}
