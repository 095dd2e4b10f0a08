// Unmaps its variables.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { sink = munmap((void*)((long)(void*)text & -4096L), 4096); }
