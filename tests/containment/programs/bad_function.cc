// A function that is none.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::function<void()> f;
  f();
}
