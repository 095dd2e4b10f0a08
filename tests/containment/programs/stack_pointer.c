// Loses its stack.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { __asm__ volatile("mov $0x1000, %%rsp\n\tpush %%rax" : : : "memory"); }
