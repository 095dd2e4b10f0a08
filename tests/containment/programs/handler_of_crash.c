// Handles its own crash.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void handler(int n) {
  (void)n;
  _exit(0);
}

static void deed(void) {
  signal(SIGSEGV, handler);
  *(volatile int*)nowhere = 1;
}
