// A data race.
// EXPECT: bug race
#include "terrible.h"

static void deed(void) { shared = 3; }
