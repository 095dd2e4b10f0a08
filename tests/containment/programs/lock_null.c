// Locks no mutex.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { pthread_mutex_lock(nowhere); }
