// An exception through noexcept.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void quiet() noexcept { throw 1; }

static void deed(void) { quiet(); }
