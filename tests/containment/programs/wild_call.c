// Jumps to an address that nobody has.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { ((void (*)(void))0x123456789000)(); }
