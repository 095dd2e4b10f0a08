// Moves a block that is none.
// EXPECT: bug abort
#include "terrible.h"

static void deed(void) {
  void* volatile p = text;
  sink = realloc(p, 10) != 0;
}
