// Clone by its number.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = (int)syscall(SYS_clone, 0, 0, 0, 0, 0); }
