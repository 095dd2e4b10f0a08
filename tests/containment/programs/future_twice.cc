// A future that is used twice.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::promise<int> p;
  auto f = p.get_future();
  p.set_value(1);
  sink = f.get() + f.get();
}
