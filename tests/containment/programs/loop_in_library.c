// Library calls without end.
// EXPECT: inconclusive max-events
// OPTIONS: --max-events 300 --loop-seconds 1
#include "terrible.h"

static void deed(void) {
  for (;;) sink += (int)strtol(text, 0, 36);
}
