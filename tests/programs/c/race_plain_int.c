// Two unprotected increments of a plain int.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void increment(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
#else
  (void)mutex;
  counter++;
#endif
}

static void* other(void* unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  increment();
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
