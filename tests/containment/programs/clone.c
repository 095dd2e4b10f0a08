// Raw clone.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static int again(void* p) {
  (void)p;
  return 0;
}

static void deed(void) { sink = clone(again, text + sizeof text, 0, 0); }
