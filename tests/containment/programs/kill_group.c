// Signals its group.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { kill(0, SIGCONT); }
