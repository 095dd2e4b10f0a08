// Writes through a null pointer.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { *(volatile int*)nowhere = 1; }
