// Calls a null function.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { ((void (*)(void))nowhere)(); }
