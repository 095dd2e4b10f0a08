// Copies too much into a block.
// EXPECT: bug heap-overflow
#include "terrible.h"

static void deed(void) {
  char* block = malloc(8);
  memcpy(block, text, 9 + (size_t)zero);
  sink = block[0];
}
