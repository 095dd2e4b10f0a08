// Leaves another rounding mode behind.
// EXPECT: safe
#include "terrible.h"

static void deed(void) {
  fesetround(FE_UPWARD);
  sink = (int)(1.0 / (3.0 + zero) * 1e9);
}
