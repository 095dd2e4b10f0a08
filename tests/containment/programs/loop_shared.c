// Waits for what never comes.
// EXPECT: bug livelock
#include "terrible.h"

static int never;

static void deed(void) {
  while (!__atomic_load_n(&never, 5)) continue;
}
