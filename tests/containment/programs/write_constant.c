// Overwrites a constant.
// EXPECT: bug crash
#include "terrible.h"

static const int constant = 5;

static void deed(void) { *(volatile int*)&constant = 1; }
