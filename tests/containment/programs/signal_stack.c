// A stack of its own for signals.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  stack_t s = {text, 0, sizeof text};
  sigaltstack(&s, 0);
}
