// Truncates the engine's memory.
// EXPECT: safe
#include "terrible.h"

static void deed(void) {
  for (int i = 190; i < 520; ++i) sink += ftruncate(i, 0);
}
