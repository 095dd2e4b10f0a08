// Abort.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) { abort(); }
