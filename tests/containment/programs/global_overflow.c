// Behind a global array.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) { text[sizeof text + (size_t)zero] = 1; }
