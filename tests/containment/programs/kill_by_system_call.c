// Kills itself behind the library's back.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(62L), "D"((long)getpid()), "S"(9L) : "rcx", "r11", "memory");
  sink = (int)result;
}
