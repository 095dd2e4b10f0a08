// The length of no string.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { sink = (int)strlen(nowhere); }
