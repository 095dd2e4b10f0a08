// Forks without end.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  for (;;) fork();
}
