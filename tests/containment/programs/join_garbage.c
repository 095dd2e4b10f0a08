// Joins what is no thread.
// EXPECT: safe
#include "terrible.h"

static void deed(void) { pthread_join((pthread_t)0x123456789000, 0); }
