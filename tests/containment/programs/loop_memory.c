// Memory without end.
// EXPECT: inconclusive out-of-resources
// OPTIONS: --run-memory 0.02
#include "terrible.h"

static void deed(void) {
  for (;;) {
    char* p = malloc(1 << 20);
    if (p) memset(p, 1, 1 << 20);
  }
}
