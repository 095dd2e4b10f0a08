// The same as float_modes.c for those who set the register themselves, without fenv.h.
// CHECK: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <xmmintrin.h>

static atomic_int x;

static void* up(void* unused) {
  _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
  x = 1;
  assert(_MM_GET_ROUNDING_MODE() == _MM_ROUND_UP);
  return unused;
}

static void* nearest(void* unused) {
  x = 2;
  assert(_MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST);
  return unused;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, up, NULL);
  pthread_create(&b, NULL, nearest, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(_MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST);
  return 0;
}
