// Crashes while it ends.
// EXPECT: bug null-dereference
#include "terrible.h"

static void again(void) { *(volatile int*)nowhere = 1; }

static void deed(void) {
  atexit(again);
  exit(1);
}
