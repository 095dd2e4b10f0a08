// The value of nothing.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::optional<int> nothing;
  sink = nothing.value();
}
