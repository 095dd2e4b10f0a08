// Frees what realloc has freed.
// EXPECT: bug double-free
#include "terrible.h"

static void deed(void) {
  void* block = malloc(16);
  sink = realloc(block, 100) != 0;
  free(block);
}
