// Unlocks a lock that holds nothing.
// EXPECT: bug uncaught-exception
#include "terrible.h"

static void deed(void) {
  std::mutex m;
  std::unique_lock<std::mutex> l(m, std::defer_lock);
  l.unlock();
}
