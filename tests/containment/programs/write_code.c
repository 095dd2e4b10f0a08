// Overwrites its own code.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void);

static void deed(void) { *(volatile char*)(void*)deed = 1; }
