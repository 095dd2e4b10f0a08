// Reads through a null pointer.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { sink = *(volatile int*)nowhere; }
