// Overwrites its thread pointer.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { syscall(SYS_arch_prctl, 0x1002, 0x1000); }
