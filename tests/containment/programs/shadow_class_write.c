// Writes where the classes of memory lie.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { *(volatile long*)((long)&sink ^ 0x100000000000) = -1; }
