// Jumps to a frame that has returned.
// EXPECT: bug crash
#include "terrible.h"

static jmp_buf place;
static void __attribute__((noinline)) leave(void) {
  if (setjmp(place)) sink = 1;
}

static void deed(void) {
  leave();
  longjmp(place, 1);
}
