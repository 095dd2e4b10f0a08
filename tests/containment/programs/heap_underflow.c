// One byte before a block.
// EXPECT: bug heap-overflow
#include "terrible.h"

static void deed(void) {
  volatile char* block = malloc(16);
  block[-1 + zero] = 1;
}
