// pthread_mutex_timedlock times out exactly when the mutex is not free.
// CHECK: verdict=safe
// OUTCOMES: "0\n" "1\n"
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 2;
  int error = pthread_mutex_timedlock(&mutex, &deadline);
  assert(!error || error == ETIMEDOUT);
  if (!error) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  printf("%d\n", error != 0);
  return 0;
}
