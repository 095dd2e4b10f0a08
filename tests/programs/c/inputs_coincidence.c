// Two stores of the same value cannot be told apart by who reads it, so what is known of the one must not be taken for
// the other's: only the input 3 looks like what the last store writes.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int x, done;

static void* writer(void* unused) {
  x = __VERIFIER_nondet_int();
  done = 1;
  x = 3;
  return unused;
}

static void* reader(void* unused) {
  int seen = x;
#ifdef FIXED
  assert(seen != 3 || done == 1 || x != 4);
#else
  if (seen == 3) assert(done == 1);  // @fails
#endif
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
