// Kills its process.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { kill(getpid(), SIGKILL); }
