// pthread spin locks block like mutexes: no busy waiting is explored.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void increment(void) {
#ifdef FIXED
  pthread_spin_lock(&lock);
#endif
  counter++;
#ifdef FIXED
  pthread_spin_unlock(&lock);
#endif
}

static void* other(void* unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  increment();
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
