// Maps something over the runtime.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  mmap((void*)(((long)(void*)text ^ 0x200000000000) & -4096L), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
       -1, 0);
  text[0] = 1;
}
