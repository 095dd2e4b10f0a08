// A reader that asks for writing waits for itself, whoever else reads: one deadlock, and the same in every run.
// CHECK: verdict=bug kind=deadlock line=@waits
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// OPTIONS: --keep-going
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* upgrades(void* unused) {
  pthread_rwlock_rdlock(&lock);
#ifdef FIXED
  pthread_rwlock_unlock(&lock);
#endif
  pthread_rwlock_wrlock(&lock);  // @waits
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, upgrades, NULL);
  pthread_create(&second, NULL, upgrades, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
