// Locks a mutex that is freed.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  pthread_mutex_t* p = malloc(sizeof *p);
  pthread_mutex_init(p, 0);
  free(p);
  pthread_mutex_lock(p);
}
