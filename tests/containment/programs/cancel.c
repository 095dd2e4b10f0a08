// Cancels itself.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { pthread_cancel(pthread_self()); }
