// Alloca without end.
// EXPECT: bug crash|stack-overflow
#include "terrible.h"

static void deed(void) {
  for (;;) {
    volatile char* p = alloca(1 << 16);
    p[0] = 1;
    sink += p[0];
  }
}
