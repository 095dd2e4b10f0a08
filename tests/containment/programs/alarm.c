// An alarm.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { alarm(1); }
