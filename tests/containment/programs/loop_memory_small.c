// Small blocks without end.
// EXPECT: inconclusive out-of-resources
// OPTIONS: --run-memory 0.02
#include "terrible.h"

static void deed(void) {
  for (;;) {
    char* volatile p = malloc(100);
    p[0] = 1;
  }
}
