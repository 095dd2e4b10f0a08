// SIGPIPE.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { raise(SIGPIPE); }
