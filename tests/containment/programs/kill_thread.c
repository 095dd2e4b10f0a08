// A signal to a thread.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { pthread_kill(pthread_self(), SIGUSR1); }
