// Frees twice.
// EXPECT: bug double-free
#include "terrible.h"

static void deed(void) {
  void* block = malloc(16);
  free(block);
  free(block);
}
