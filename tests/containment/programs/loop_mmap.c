// Maps memory without end.
// EXPECT: inconclusive out-of-resources
// OPTIONS: --run-memory 0.02
#include "terrible.h"

static void deed(void) {
  for (;;) {
    volatile char* p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) p[0] = 1;
  }
}
