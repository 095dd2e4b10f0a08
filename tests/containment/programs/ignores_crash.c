// Ignores its own crash.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) {
  signal(SIGSEGV, SIG_IGN);
  *(volatile int*)nowhere = 1;
}
