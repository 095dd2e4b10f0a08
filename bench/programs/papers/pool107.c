// Pool107 (Apache Commons Pool, bug 107): benchmarks 1.8, started with one active object so that the bug can show.
// FIXED: the filler decides how many objects are missing and makes them in one critical section, and the borrower
// counts and makes its object in one. PROPERTY: too many active objects are a failure.
#include "start.h"
enum { kMaxActive = 2 };

static shared_int idle, active_in_pool = 1, active_in_factory = 1;
static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER, factory = PTHREAD_MUTEX_INITIALIZER;

/// False: too many.
static int make_object(void) {
  pthread_mutex_lock(&factory);
  active_in_factory = active_in_factory + 1;
  const int right = active_in_factory <= kMaxActive;
  pthread_mutex_unlock(&factory);
  return right;
}

static void* borrower(void* unused) {
  long failed = 0;
  pthread_mutex_lock(&pool);
  const int found = idle > 0;
  if (found) idle = idle - 1;
  active_in_pool = active_in_pool + 1;
#ifdef FIXED
  if (!found) failed = !make_object();
  pthread_mutex_unlock(&pool);
#else
  pthread_mutex_unlock(&pool);
  if (!found) failed = !make_object();
#endif
  return (void*)failed;
}

static int deficit(void) {
  const int missing = 1 - idle;
  int room = 2 - active_in_pool;
  room = room - idle;
  if (room < 0) room = 0;
  return missing < room ? missing : room;
}

static void* filler(void* unused) {
  long failed = 0;
  pthread_mutex_lock(&pool);
  const int missing = deficit();
#ifndef FIXED
  pthread_mutex_unlock(&pool);
#endif
  for (int j = 0; j < missing; ++j) {
#ifndef FIXED
    pthread_mutex_lock(&pool);
#endif
    const int made = make_object();
    if (made) idle = idle + 1;
    failed |= !made;
#ifndef FIXED
    pthread_mutex_unlock(&pool);
#endif
  }
#ifdef FIXED
  pthread_mutex_unlock(&pool);
#endif
  return (void*)failed;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, borrower, NULL);
  pthread_create(&threads[1], NULL, filler, NULL);
  for (int i = 0; i < 2; ++i) {
    void* failed;
    pthread_join(threads[i], &failed);
    property(!failed);
  }
  return 0;
}
