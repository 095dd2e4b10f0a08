// Frees a literal.
// EXPECT: bug invalid-free
#include "terrible.h"

static void deed(void) {
  void* volatile p = (void*)"literal";
  free(p);
}
