// Attribute objects are memory of the program: a thread that reads one too early finds another type of mutex.
// CHECK: verdict=bug
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>

static pthread_mutexattr_t attributes;

static void* looks(void* unused) {
  int type = -1;
  pthread_mutexattr_gettype(&attributes, &type);
  assert(type == PTHREAD_MUTEX_RECURSIVE);
  return unused;
}

int main() {
  pthread_t thread;
  pthread_mutexattr_init(&attributes);
#ifdef FIXED
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_create(&thread, NULL, looks, NULL);
#ifndef FIXED
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_join(thread, NULL);
  return 0;
}
