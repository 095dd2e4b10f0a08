// An index that is not.
// EXPECT: bug assertion|heap-overflow
#include "terrible.h"

static void deed(void) {
  std::vector<int> v(3);
  sink = v[static_cast<size_t>(3 + zero)];
}
