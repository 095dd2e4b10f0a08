// StringBuf: benchmarks 1.9. One thread appends buffer 2 to buffer 1 while another empties buffer 2. FIXED: appending
// holds both locks throughout. PROPERTY: copying past the end is a failure.
#include "start.h"

static shared_int count[2] = {1, 1};
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void enter(int buffer) { pthread_mutex_lock(&lock[buffer]); }
static void leave(int buffer) { pthread_mutex_unlock(&lock[buffer]); }

static void* append(void* unused) {
  enter(0);
  enter(1);
  const int length = count[1];
#ifndef FIXED
  leave(1);
  enter(1);
#endif
  const long failed = length > count[1];
  leave(1);
  if (!failed) count[0] = count[0] + length;
  leave(0);
  return (void*)failed;
}

static void* empty(void* unused) {
  enter(1);
  int end = count[1];
  leave(1);
  enter(1);
  const int now = count[1];
  if (end > now) end = now;
  if (end > 0) count[1] = count[1] - end;
  leave(1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, append, NULL);
  pthread_create(&threads[1], NULL, empty, NULL);
  void* failed;
  pthread_join(threads[0], &failed);
  pthread_join(threads[1], NULL);
  property(!failed);
  return 0;
}
