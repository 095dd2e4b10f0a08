// Floating-point exceptions that end it.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) {
  feenableexcept(FE_DIVBYZERO);
  volatile double d = zero;
  sink = (int)(1.0 / d);
}
