// Makes its variables unreadable.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  mprotect((void*)((long)(void*)text & -4096L), 4096, PROT_NONE);
  text[0] = 1;
}
