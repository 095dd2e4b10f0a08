// Reads from an address that nobody has.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { sink = *(volatile int*)0x123456789000; }
