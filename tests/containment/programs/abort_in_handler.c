// Aborts while it ends.
// EXPECT: bug abort
#include "terrible.h"

static void again(void) { abort(); }

static void deed(void) {
  atexit(again);
  exit(1);
}
