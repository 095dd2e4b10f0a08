// A member of a null structure.
// EXPECT: bug null-dereference
#include "terrible.h"

struct far {
  char gap[5000];
  int member;
};

static void deed(void) { ((volatile struct far*)nowhere)->member = 1; }
