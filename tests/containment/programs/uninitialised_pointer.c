// A pointer without a value.
// EXPECT: bug uninitialised-read
#include "terrible.h"

static void deed(void) {
  int** block = malloc(64);
  *block[2] = 1;
}
