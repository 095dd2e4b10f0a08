// Stops itself.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { raise(SIGSTOP); }
