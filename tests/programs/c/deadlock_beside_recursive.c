// Main owns a recursive lock and is about to take it again: it waits for nobody, and is no part of the deadlock of the
// other two.
// CHECK: verdict=bug kind=deadlock line=@waits
// EXPLORERS: all
// OPTIONS: --keep-going
// BUGS: 1
#include <pthread.h>

static pthread_mutex_t own, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_t locking;

static void* locks_both(void* unused) {
  pthread_mutex_lock(&other);  // @waits
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  pthread_mutex_unlock(&other);
  return unused;
}
static void* joins(void* unused) {
  pthread_mutex_lock(&other);
  pthread_join(locking, NULL);  // @waits
  pthread_mutex_unlock(&other);
  return unused;
}

int main(void) {
  pthread_t joining;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&own, &kind);
  pthread_create(&locking, NULL, locks_both, NULL);
  pthread_mutex_lock(&own);
  pthread_create(&joining, NULL, joins, NULL);
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  pthread_mutex_unlock(&own);
  pthread_join(joining, NULL);
  return 0;
}
