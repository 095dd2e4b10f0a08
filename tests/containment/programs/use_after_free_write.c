// Writes a block that is gone.
// EXPECT: bug use-after-free
#include "terrible.h"

static void deed(void) {
  volatile int* block = malloc(16);
  free((void*)block);
  *block = 1;
}
