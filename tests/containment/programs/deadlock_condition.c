// Waits for nobody.
// EXPECT: bug deadlock
#include "terrible.h"

static void deed(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&cv, &m);
}
