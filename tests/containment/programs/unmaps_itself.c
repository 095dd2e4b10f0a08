// Unmaps its own code.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void);

static void deed(void) { sink = munmap((void*)((long)(void*)deed & -4096L), 4096); }
