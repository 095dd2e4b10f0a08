// Locks what is no mutex.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  memset(text, 0x7f, sizeof text);
  pthread_mutex_lock((pthread_mutex_t*)(void*)text);
}
