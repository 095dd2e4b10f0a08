// A thread that joins itself.
// EXPECT: bug uncaught-exception|race
#include "terrible.h"

static void deed(void) {
  static std::thread t;
  t = std::thread([] { t.join(); });
  t.join();
}
