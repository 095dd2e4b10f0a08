// An iterator that is not valid any more.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  std::vector<int> v(3);
  auto it = v.begin();
  v.resize(1000);
  *it = 1;
}
