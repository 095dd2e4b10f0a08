// Reads behind a block.
// EXPECT: bug heap-overflow
#include "terrible.h"

static void deed(void) {
  volatile char* block = calloc(1, 16);
  sink = block[20 + zero];
}
