// Joins what is no thread.
// EXPECT: bug lock-misuse
#include "terrible.h"

static void deed(void) { pthread_join((pthread_t)0x123456789000, 0); }
