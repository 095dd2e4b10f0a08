// Frees a global variable.
// EXPECT: bug invalid-free
#include "terrible.h"

static void deed(void) {
  void* volatile p = text;
  free(p);
}
