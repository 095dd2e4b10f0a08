// Ends while it ends.
// EXPECT: safe
#include "terrible.h"

static void again(void) { exit(2); }

static void deed(void) {
  atexit(again);
  exit(1);
}
