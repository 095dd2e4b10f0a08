// A thread object that is destroyed.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) {
  std::thread t([] {});
}
