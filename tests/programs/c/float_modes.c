// Rounding modes, flags and masks belong to a thread: a new one has its parent's, others do not see them, the next run does not either.
// CHECK: verdict=safe
// CHECK-FIXED: verdict=bug kind=assertion line=@merged
// EXPLORERS: all
// FLAGS: -lm -frounding-math
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, z;

static void* rounds(void* unused) {
  assert(fegetround() == FE_DOWNWARD);
  fesetround(FE_UPWARD);
  x = 1;
  assert(fegetround() == FE_UPWARD);
  feraiseexcept(FE_DIVBYZERO);
  z = 1;
  assert(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
  return unused;
}

static void* other(void* unused) {
#ifdef FIXED  // two histories that leave the same memory and another mode behind are not one
  if (x) fesetround(FE_TOWARDZERO);
  assert(!(z && fegetround() == FE_TOWARDZERO));  // @merged
#else
  volatile long double one = 1, three = 3;
  const long double third = one / three;
  x = 2;
  assert(fegetround() == FE_DOWNWARD && fetestexcept(FE_DIVBYZERO) == 0);
  assert(one / three == third);
#endif
  return unused;
}

int main() {
  assert(fegetround() == FE_TONEAREST && fetestexcept(FE_ALL_EXCEPT) == 0);
  fesetround(FE_DOWNWARD);
  pthread_t a, b;
  pthread_create(&b, NULL, other, NULL);
  pthread_create(&a, NULL, rounds, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(fegetround() == FE_DOWNWARD);
  return 0;
}
