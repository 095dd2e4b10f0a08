// Writes to a device.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { __asm__ volatile("outb %%al, $0x80" : : "a"(0)); }
