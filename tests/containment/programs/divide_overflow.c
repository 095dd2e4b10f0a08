// The smallest number, divided by -1.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) {
  int least = -2147483647 - 1 + zero, minus = -1 + zero;
  sink = least / minus;
}
