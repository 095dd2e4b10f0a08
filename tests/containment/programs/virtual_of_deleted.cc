// A virtual function of an object that is gone.
// EXPECT: bug use-after-free
#include "terrible.h"

struct Base {
  virtual ~Base() = default;
  virtual void f() { sink = 1; }
};

static void deed(void) {
  Base* b = new Base;
  b->~Base();
  operator delete(b);
  b->f();
}
