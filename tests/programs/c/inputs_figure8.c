// Figure 8 of "Maximal path causality" (003): the error needs an input, a schedule, and both branches not taken first.
// CHECK: verdict=bug kind=assertion line=@fails
// INPUTS: explored
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int x;

static void* first(void* unused) {
  if (__VERIFIER_nondet_int() > 0)
    x = 1;
  else if (__VERIFIER_nondet_int() > 0)
    x = 2;
  else
    x = 3;
  return unused;
}

static void* second(void* unused) {
  assert(x != 2);  // @fails
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
