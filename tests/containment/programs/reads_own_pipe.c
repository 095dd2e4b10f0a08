// Waits for a pipe that nobody writes.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  int ends[2];
  char byte;
  sink = pipe(ends);
  sink = (int)read(ends[0], &byte, 1);
}
