// A variable array that is larger than the stack.
// EXPECT: bug crash|stack-overflow
#include "terrible.h"

static void deed(void) {
  volatile char local[((size_t)64 << 20) + (size_t)zero];
  local[0] = 1;
  sink = local[0];
}
