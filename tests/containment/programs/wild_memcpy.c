// Copies from an address that nobody has.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { memcpy(text, (void*)0x123456789000, 16); }
