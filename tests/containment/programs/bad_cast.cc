// A cast that is wrong.
// EXPECT: bug uncaught-exception
#include "terrible.h"

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  int y = 1;
};

static void deed(void) {
  Base b;
  Base& r = b;
  sink = dynamic_cast<Derived&>(r).y;
}
