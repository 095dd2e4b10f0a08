// One value of 2^32 fails, behind two comparisons.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
// EXPLORERS: all
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3 && x < 100) {
#ifdef FIXED
    assert(x != 101);
#else
    assert(x != 7);  // @fails
#endif
  }
  return 0;
}
