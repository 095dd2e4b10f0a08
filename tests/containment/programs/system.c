// Runs a command.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = system("true"); }
