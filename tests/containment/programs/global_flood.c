// Overwrites all globals.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) {
  volatile char* p = text;
  for (int i = 0; i < (1 << 22); ++i) p[i] = -1;
}
