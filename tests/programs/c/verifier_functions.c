// The functions of the software verification competition.
// CHECK: verdict=bug kind=assertion|abort
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int x;

static void* other(void* unused) {
#ifdef FIXED
  __VERIFIER_atomic_begin();
#endif
  x = x + 1;
#ifdef FIXED
  __VERIFIER_atomic_end();
#endif
  return unused;
}

int main(void) {
  int unknown = __VERIFIER_nondet_int();
  __VERIFIER_assume(unknown < 1000000);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
  pthread_join(thread, NULL);
  if (x != 2) reach_error();
  return 0;
}
