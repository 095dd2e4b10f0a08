// A signal that ends it.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { raise(SIGUSR1); }
