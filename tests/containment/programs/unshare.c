// Leaves its namespaces.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = unshare(CLONE_NEWNS); }
