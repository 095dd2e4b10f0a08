// Writing under a read lock: readers do not exclude each other.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;

static void increment(void) {
#ifdef FIXED
  pthread_rwlock_wrlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
#endif
  counter++;
  pthread_rwlock_unlock(&lock);
}

static void* other(void* unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  increment();
  pthread_rwlock_rdlock(&lock);
  assert(counter >= 1);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
