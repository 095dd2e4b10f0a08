// A local array that is larger than the stack.
// EXPECT: bug crash|stack-overflow
#include "terrible.h"

static void deed(void) {
  volatile char local[64 << 20];
  local[zero] = 1;
  sink = local[0];
}
