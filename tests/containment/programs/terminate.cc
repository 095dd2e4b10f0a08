// Std::terminate.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) { std::terminate(); }
