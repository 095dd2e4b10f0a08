// Sleeps without end.
// EXPECT: bug livelock
// OPTIONS: --max-events 300
#include "terrible.h"

static void deed(void) {
  for (;;) sleep(1000);
}
