// Deletes what is not allocated.
// EXPECT: bug invalid-free
#include "terrible.h"

static void deed(void) { delete reinterpret_cast<int*>(text + 16); }
