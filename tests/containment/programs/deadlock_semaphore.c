// Waits for a semaphore that nobody posts.
// EXPECT: bug deadlock
#include "terrible.h"

static void deed(void) {
  sem_t s;
  sem_init(&s, 0, 0);
  sem_wait(&s);
}
