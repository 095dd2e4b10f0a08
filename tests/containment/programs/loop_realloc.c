// A block that grows without end.
// EXPECT: inconclusive out-of-resources
// OPTIONS: --run-memory 0.02
#include "terrible.h"

static void deed(void) {
  char* p = 0;
  for (size_t n = 1; n < ((size_t)1 << 50); n *= 2) {
    p = realloc(p, n);
    p[n - 1] = 1;
  }
}
