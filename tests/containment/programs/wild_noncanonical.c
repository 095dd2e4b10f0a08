// An address that cannot exist.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { *(volatile int*)0xdead00000000beef = 1; }
