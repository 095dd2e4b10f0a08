// Jumps into data.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) { ((void (*)(void))(void*)text)(); }
