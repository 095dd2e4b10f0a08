// An exception that is a number.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) { throw 5; }
