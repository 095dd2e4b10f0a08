// Overwrites its return address.
// EXPECT: bug out-of-bounds
#include "terrible.h"

static void deed(void) {
  volatile long frame[2];
  volatile long* volatile p = frame;
  for (int i = 0; i < 12; ++i) p[i] = 0x4141414141414141;
  sink = (int)frame[0];
}
