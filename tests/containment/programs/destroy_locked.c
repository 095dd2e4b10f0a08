// Destroys a mutex that it holds.
// EXPECT: bug lock-misuse
#include "terrible.h"

static void deed(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m);
}
