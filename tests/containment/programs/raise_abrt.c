// Sends SIGABRT to itself.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) { raise(SIGABRT); }
