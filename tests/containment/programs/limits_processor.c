// Allows itself no processor time.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  struct rlimit l = {1, 1};
  sink = setrlimit(RLIMIT_CPU, &l);
}
