// An index that is checked.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::vector<int> v(3);
  sink = v.at(static_cast<size_t>(5 + zero));
}
