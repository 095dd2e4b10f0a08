// Joins a detached thread.
// EXPECT: bug lock-misuse
#include "terrible.h"

static void* idle(void* p) { return p; }

static void deed(void) {
  pthread_t t;
  pthread_create(&t, 0, idle, 0);
  pthread_detach(t);
  pthread_join(t, 0);
}
