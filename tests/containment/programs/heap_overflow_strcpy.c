// A string that does not fit.
// EXPECT: bug heap-overflow
#include "terrible.h"

static void deed(void) {
  char* block = malloc(4);
  strcpy(block, text);
  sink = block[0];
}
