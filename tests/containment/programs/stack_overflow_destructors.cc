// Recursion of destructors.
// EXPECT: bug stack-overflow
#include "terrible.h"

static int __attribute__((noinline)) deeper(int n) {
  std::string s(static_cast<size_t>(30), 'x');
  return deeper(n + 1) + s[0];
}

static void deed(void) { deeper(zero); }
