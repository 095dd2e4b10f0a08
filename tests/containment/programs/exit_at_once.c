// Ends without handlers.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { _exit(3); }
