// M1 of "Maximal path causality" (003, Figure 2): three inputs and a schedule make it crash. FIXED: M0 with a value that
// cannot be.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
// SELF-CHECK: off (too many interleavings)
// INPUTS: explored
#include <plait.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define WANTED 104
#else
#define WANTED 102
#endif

static void* t1(void* unused) {
  x = 2;
  y = 5;
  if (__VERIFIER_nondet_int() == 3) {
    x = x + 1;
    pthread_mutex_lock(&l);
    y = y - 1;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void* t2(void* unused) {
  x = 5;
  y = 0;
  if (x == WANTED && y == 2) plait_assert(0);  // @fails
  return unused;
}

static void* t3(void* unused) {
  x = 100;
  int j = __VERIFIER_nondet_int();
  if (j > 2) return unused;
  while (j-- > 0) {
    pthread_mutex_lock(&l);
    y = y + 1;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void* extra(void* unused) {
  if (__VERIFIER_nondet_int() == 10) x = x + 1;
  return unused;
}

int main(void) {
  pthread_t thread[4];
  void* (*const start[4])(void*) = {t1, t2, t3, extra};
  for (int i = 0; i < 4; ++i) pthread_create(&thread[i], 0, start[i], 0);
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], 0);
  return 0;
}
