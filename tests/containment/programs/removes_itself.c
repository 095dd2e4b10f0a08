// Removes its own program.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { sink = unlink("/proc/self/exe") + unlink("program"); }
