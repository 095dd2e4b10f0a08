// Frees the middle of a block.
// EXPECT: bug invalid-free
#include "terrible.h"

static void deed(void) {
  char* block = malloc(64);
  free(block + 16 + zero);
}
