// Leaves a flag behind that libraries rely on.
// EXPECT: safe
#include "terrible.h"

static void deed(void) {
  __asm__ volatile("std");
  sink = 1;
}
