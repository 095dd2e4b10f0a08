// Blocks the signal of its own crash.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  *(volatile int*)nowhere = 1;
}
