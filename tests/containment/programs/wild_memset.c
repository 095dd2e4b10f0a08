// Sets all of memory.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) { memset(text, 0, (size_t)-1); }
