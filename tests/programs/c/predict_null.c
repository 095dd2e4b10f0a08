// The first run is clean; that the second load can return null follows from it. One run and a confirmation.
// CHECK: verdict=bug kind=null-dereference line=@null
// EXPLORE: mcr
// OPTIONS: --max-executions 1
// SELF-CHECK: off (mcr)
#include <pthread.h>
#include <stdatomic.h>

static int value = 7;
static int* _Atomic player;

static void* stop(void* argument) {
  atomic_store(&player, (int*)0);
  return argument;
}

int main(void) {
  atomic_store(&player, &value);
  pthread_t thread;
  pthread_create(&thread, 0, stop, 0);
  if (atomic_load(&player)) {
    int* again = atomic_load(&player);
    *again = 8;  // @null
  }
  pthread_join(thread, 0);
  return 0;
}
