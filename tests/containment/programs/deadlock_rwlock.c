// Upgrades a lock.
// EXPECT: bug deadlock
#include "terrible.h"

static void deed(void) {
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&l);
}
