// A timed wait may time out or not: both are schedules. The faulty version forgets the first.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "ready\n" "timed out\n"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  int error = 0;
  while (!ready && !error) error = pthread_cond_timedwait(&changed, &mutex, &deadline);
  int seen = ready;
  pthread_mutex_unlock(&mutex);
#ifdef FIXED
  assert(seen || error == ETIMEDOUT);
#else
  assert(seen);  // @assert
#endif
  pthread_join(thread, NULL);
  puts(seen ? "ready" : "timed out");
  return 0;
}
