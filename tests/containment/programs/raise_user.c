// A signal that ends it.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { raise(SIGUSR1); }
