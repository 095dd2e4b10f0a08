// Two functions that call each other for ever.
// EXPECT: bug stack-overflow
#include "terrible.h"

static int two(int n);
static int __attribute__((noinline)) one(int n) {
  volatile char room[512];
  room[0] = (char)n;
  return two(n + 1) + room[0];
}
static int __attribute__((noinline)) two(int n) {
  volatile char room[512];
  room[0] = (char)n;
  return one(n + 1) + room[0];
}

static void deed(void) { sink = one(zero); }
