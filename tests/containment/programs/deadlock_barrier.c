// A barrier that lacks one.
// EXPECT: bug deadlock
#include "terrible.h"

static void deed(void) {
  pthread_barrier_t b;
  pthread_barrier_init(&b, 0, 2);
  pthread_barrier_wait(&b);
}
