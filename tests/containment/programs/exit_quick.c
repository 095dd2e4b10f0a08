// Ends with other handlers.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { quick_exit(3); }
