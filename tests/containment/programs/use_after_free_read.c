// Reads a block that is gone.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  volatile int* block = malloc(16);
  *block = 1;
  free((void*)block);
  sink = *block;
}
