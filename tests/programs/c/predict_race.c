// The first run is clean, and a race follows from it: one run is enough to predict it, and the prediction is confirmed
// by running.
// CHECK: verdict=bug kind=race line=@race
// EXPLORE: mcr
// OPTIONS: --max-executions 1
// SELF-CHECK: off (mcr)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, ready;

static void* produce(void* argument) {
  data = 1;  // @race
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  pthread_mutex_lock(&mutex);
  const int seen = ready;
  pthread_mutex_unlock(&mutex);
  const int value = data;  // @race
  pthread_join(thread, 0);
  return seen + value < 0;
}
