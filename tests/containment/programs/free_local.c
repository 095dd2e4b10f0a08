// Frees a local variable.
// EXPECT: bug invalid-free
#include "terrible.h"

static void deed(void) {
  int local[4];
  void* volatile p = local;
  free(p);
}
