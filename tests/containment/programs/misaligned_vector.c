// An aligned access to an address that is not.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { __asm__ volatile("movaps %%xmm0, (%0)" : : "r"(text + 1) : "memory"); }
