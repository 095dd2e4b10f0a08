// Sends SIGFPE to itself.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { raise(SIGFPE); }
