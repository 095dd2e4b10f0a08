// A function that locks calls another that locks the same mutex: fine only if the mutex is recursive.
// CHECK: verdict=bug kind=deadlock line=@again
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int entries;

static void add(void) {
  pthread_mutex_lock(&mutex);  // @again
  entries++;
  pthread_mutex_unlock(&mutex);
}

static void add_two(void) {
  pthread_mutex_lock(&mutex);
  add();
  add();
  pthread_mutex_unlock(&mutex);
}

static void* other(void* unused) {
  add_two();
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef FIXED
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  add();
  pthread_join(thread, NULL);
  assert(entries == 3);
  return 0;
}
