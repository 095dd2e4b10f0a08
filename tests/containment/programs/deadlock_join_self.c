// Waits for its own end.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { pthread_join(pthread_self(), 0); }
