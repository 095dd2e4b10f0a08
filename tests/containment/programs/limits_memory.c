// Allows itself no memory.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  struct rlimit l = {1 << 20, 1 << 20};
  sink = setrlimit(RLIMIT_AS, &l);
  char* p = malloc(1 << 24);
  if (p) p[0] = 1;
}
