// Ends with a code.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { exit(3); }
