// Behind a local array.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) {
  volatile char local[8];
  local[8 + zero] = 1;
  sink = local[0];
}
