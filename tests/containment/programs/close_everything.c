// Closes all descriptors.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  for (int i = 0; i < 1024; ++i) close(i);
  sink = 1;
}
