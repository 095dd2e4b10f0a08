// Before a global array.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) { ((volatile char*)text)[-1 + zero] = 1; }
