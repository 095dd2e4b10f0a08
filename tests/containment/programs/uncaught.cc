// An exception that nobody catches.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) { throw std::runtime_error("terrible"); }
