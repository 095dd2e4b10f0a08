// Unlocks what is not locked.
// EXPECT: bug lock-misuse
#include "terrible.h"

static void deed(void) { pthread_mutex_unlock(&m); }
