// Recursion without end.
// EXPECT: bug stack-overflow
#include "terrible.h"

static int __attribute__((noinline)) deeper(int n) {
  volatile char room[4096];
  room[0] = (char)n;
  return deeper(n + 1) + room[0];
}

static void deed(void) { sink = deeper(zero); }
