// Vfork.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = vfork(); }
