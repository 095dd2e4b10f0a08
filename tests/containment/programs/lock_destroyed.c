// Locks what is destroyed.
// EXPECT: bug lock-misuse
#include "terrible.h"

static void deed(void) {
  pthread_mutex_destroy(&m);
  pthread_mutex_lock(&m);
}
