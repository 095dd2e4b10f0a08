// Deletes twice.
// EXPECT: bug double-free
#include "terrible.h"

static void deed(void) {
  int* p = new int;
  delete p;
  delete p;
}
