// Memory without a value decides.
// EXPECT: bug uninitialised-read
#include "terrible.h"

static void deed(void) {
  int* block = malloc(64);
  if (block[3] > 5) sink = 1;
}
