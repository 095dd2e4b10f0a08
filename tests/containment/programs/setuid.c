// Becomes somebody else.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = setuid(65534); }
