// A view of a string that is gone.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  std::string_view v;
  {
    std::string s(100, 'x');
    v = s;
  }
  sink = v[5];
}
