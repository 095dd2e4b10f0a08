// Calls a function that is not there.
// EXPECT: bug abort
#include "terrible.h"

struct Base {
  Base() { call(); }
  virtual ~Base() = default;
  void call() { f(); }
  virtual void f() = 0;
};
struct Derived : Base {
  void f() override {}
};

static void deed(void) { Derived d; }
