// An instruction that does not exist.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { __asm__ volatile("ud2"); }
