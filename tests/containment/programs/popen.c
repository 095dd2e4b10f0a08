// Runs a command and reads it.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = popen("true", "r") != 0; }
