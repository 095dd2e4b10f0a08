// Allows itself almost nothing.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0); }
