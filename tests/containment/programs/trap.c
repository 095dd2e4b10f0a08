// The compiler's trap.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { __builtin_trap(); }
