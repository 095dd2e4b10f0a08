// An exception while another one flies.
// EXPECT: bug uncaught-exception
#include "terrible.h"

struct Thrower {
  ~Thrower() noexcept(false) { throw 2; }
};

static void deed(void) {
  Thrower t;
  throw 1;
}
