// An interval timer.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  struct itimerval t = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &t, 0);
}
