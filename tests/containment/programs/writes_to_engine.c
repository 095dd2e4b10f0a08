// Writes to the engine's descriptors.
// EXPECT: safe
#include "terrible.h"

static void deed(void) {
  for (int i = 190; i < 520; ++i) sink += (int)write(i, text, 64);
}
