// The old place of a block that moved.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  volatile int* block = malloc(16);
  *block = 1;
  sink = realloc((void*)block, 100) != 0;
  *block = 2;
}
