// A loop that never ends.
// EXPECT: bug infinite-loop
// OPTIONS: --loop-seconds 1
#include "terrible.h"

static void deed(void) {
  for (volatile int i = 0;; ++i) continue;
}
