// A promise that is not kept.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::future<int> f;
  {
    std::promise<int> p;
    f = p.get_future();
  }
  sink = f.get();
}
