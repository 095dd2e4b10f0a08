// Jumps into the heap.
// EXPECT: bug crash
#include "terrible.h"

static void deed(void) {
  void* block = malloc(64);
  memset(block, 0x90, 64);
  ((void (*)(void))block)();
}
