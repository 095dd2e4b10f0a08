// Allows itself no descriptors.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  struct rlimit l = {0, 0};
  sink = setrlimit(RLIMIT_NOFILE, &l);
  sink = open("/dev/null", 0);
}
