// volatile is no synchronisation but every access is made. A spinning reader would spin for ever in some schedules:
// assume the flag instead.
// MEMORY-MODELS: tso (under PSO the flag overtakes what it announces)
// CHECK: verdict=safe
// OPTIONS: --races off
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static volatile int flag;
static volatile int data;

static void* writer(void* unused) {
  data = 5;
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int seen = flag;
  plait_assume(seen == 1);
  assert(data == 5);
  pthread_join(thread, NULL);
  return 0;
}
