// A loop that waits and counts: its states differ, so it is not taken for a wait that changes nothing. The bug after 20
// turns is found; without it the answer is honest about the turns beyond 64 that were left out.
// SELF-CHECK: off (many interleavings)
// OPTIONS: --races off
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=inconclusive
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* other(void* unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int turns = 0;
  while (!atomic_load(&flag)) ++turns;
#ifndef FIXED
  assert(turns != 20);  // @assert
#endif
  pthread_join(thread, NULL);
  return turns == 1000000;
}
