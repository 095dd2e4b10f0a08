// Asks itself to end.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { raise(SIGTERM); }
