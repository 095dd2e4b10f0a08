// Overwrites its whole stack upwards.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) {
  volatile char local[8];
  volatile char* volatile p = local;
  for (int i = 0; i < (1 << 20); ++i) p[i] = 0x41;
}
