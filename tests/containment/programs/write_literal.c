// Overwrites a string literal.
// EXPECT: bug crash
#include "terrible.h"

static const char* literal = "literal";

static void deed(void) { *(volatile char*)literal = 1; }
