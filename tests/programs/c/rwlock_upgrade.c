// A reader that asks for the write lock without letting go: two of them wait for each other.
// CHECK: verdict=bug kind=deadlock line=@upgrade
// CHECK-FIXED: verdict=safe
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* upgrade(void* unused) {
  pthread_rwlock_rdlock(&lock);
#ifdef FIXED
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
#else
  if (pthread_rwlock_wrlock(&lock)) return unused;  // @upgrade
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, upgrade, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#ifdef FIXED
  upgrade(NULL);
#endif
  pthread_join(thread, NULL);
  return 0;
}
