// Opens files without end.
// EXPECT: inconclusive out-of-resources
// OPTIONS: --max-events 300
#include "terrible.h"

static void deed(void) {
  for (;;) sink += open("/dev/null", 0);
}
