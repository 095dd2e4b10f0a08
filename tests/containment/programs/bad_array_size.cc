// An array of negative size.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) { sink = new int[static_cast<size_t>(-1 + zero)] != nullptr; }
