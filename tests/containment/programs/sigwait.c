// Waits for a signal.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  int n;
  sigwait(&s, &n);
}
