// Unmaps the code of who called it, which lies elsewhere.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void);

__attribute__((aligned(4096))) static void deed(void) { sink = munmap((void*)((long)(void*)main & -4096L), 4096); }
