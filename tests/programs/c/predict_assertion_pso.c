// Message passing: in the first run main reads 0 and 0. That the flag can be seen before the data follows from it under PSO, and running that
// breaks the assertion. One run and a confirmation.
// CHECK: verdict=bug kind=assertion line=@broken
// CHECK-FIXED: verdict=inconclusive
// EXPLORE: mcr
// OPTIONS: --max-executions 1 --memory-model pso
// MEMORY-MODELS: (it has its own)
// SELF-CHECK: off (mcr)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int data, flag;

static void* send(void* argument) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, ORDER);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, send, 0);
  const int sent = atomic_load_explicit(&flag, memory_order_relaxed);
  const int seen = atomic_load_explicit(&data, memory_order_relaxed);
  assert(!sent || seen);  // @broken
  pthread_join(thread, 0);
  return 0;
}
