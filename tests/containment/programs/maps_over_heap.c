// Maps something over its heap.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  void* p = malloc(8);
  mmap((void*)((long)p & -4096L), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  *(volatile char*)p = 1;
}
