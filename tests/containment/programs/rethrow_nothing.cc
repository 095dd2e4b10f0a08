// Throws again what is not there.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) { throw; }
