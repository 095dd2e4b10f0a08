// Signals its parent.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { kill(getppid(), SIGCONT); }
