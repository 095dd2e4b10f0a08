// Divides by zero.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { sink = 10 / zero; }
