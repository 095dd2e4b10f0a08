// Copies to a null pointer.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) { memcpy(nowhere, text, 8); }
