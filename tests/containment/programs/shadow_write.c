// Writes where the shadow of memory lies.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { *(volatile long*)((long)&sink ^ 0x200000000000) = -1; }
