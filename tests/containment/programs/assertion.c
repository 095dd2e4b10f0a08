// A failed assertion.
// EXPECT: bug assertion
#include "terrible.h"

static void deed(void) { assert(zero == 1); }
