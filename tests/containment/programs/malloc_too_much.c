// More memory than there is.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) {
  volatile char* p = malloc((size_t)1 << 60);
  p[0] = 1;
}
