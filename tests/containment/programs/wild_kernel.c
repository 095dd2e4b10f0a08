// An address of the kernel.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { *(volatile int*)0xffffffff81000000 = 1; }
