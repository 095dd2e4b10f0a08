// Waits for a signal that never comes.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { pause(); }
