// Frees an address that nobody has.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) {
  void* volatile p = (void*)0x123456789000;
  free(p);
}
