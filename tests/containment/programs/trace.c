// Traces itself.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = (int)ptrace(PTRACE_TRACEME, 0, 0, 0); }
