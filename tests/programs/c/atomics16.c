// A 16-byte compare-and-swap changes both halves at once.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// FLAGS: -mcx16
// OPTIONS: --races off
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef unsigned __int128 wide;
static _Alignas(16) volatile wide pair;

static void* writer(void* unused) {
#ifdef FIXED
  wide expected = 0;
  __atomic_compare_exchange_n(&pair, &expected, (wide)1 << 64 | 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#else
  volatile uint64_t* halves = (volatile uint64_t*)&pair;
  halves[0] = 1;
  halves[1] = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  wide seen = __atomic_load_n(&pair, __ATOMIC_SEQ_CST);
  assert((uint64_t)seen == (uint64_t)(seen >> 64));  // @assert
  pthread_join(thread, NULL);
  return 0;
}
