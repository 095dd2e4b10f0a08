// A breakpoint without a debugger.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { __asm__ volatile("int3"); }
