// More memory than there is.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) { sink = new char[(size_t{1} << 60) + static_cast<size_t>(zero)] != nullptr; }
