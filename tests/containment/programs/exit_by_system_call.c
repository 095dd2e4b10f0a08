// Ends the process behind the library's back.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(231L), "D"(3L) : "rcx", "r11", "memory");
  sink = (int)result;
}
