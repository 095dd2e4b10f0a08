// Kills its process.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { kill(getpid(), SIGKILL); }
