// Two phases: without the barrier a thread may read what the other has not written yet.
// CHECK: verdict=bug kind=assertion line=@read
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int slots[2];
static atomic_int serial;

static void* phase(void* argument) {
  int me = argument != NULL;
  slots[me] = 1;
#ifdef FIXED
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
#endif
  assert(slots[!me] == 1);  // @read
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, phase, &thread);
  phase(NULL);
  pthread_join(thread, NULL);
  assert(serial <= 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
