// An instruction of the kernel.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { __asm__ volatile("hlt"); }
