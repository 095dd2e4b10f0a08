// Asks itself to end.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { raise(SIGTERM); }
