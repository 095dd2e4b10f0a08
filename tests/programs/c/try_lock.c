// A try-lock that may fail: the faulty version takes success for granted.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "got it\n" "busy\n"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int error = pthread_mutex_trylock(&mutex);
#ifndef FIXED
  assert(error == 0);  // @assert
#endif
  assert(error == 0 || error == EBUSY);
  if (!error) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  puts(error ? "busy" : "got it");
  return 0;
}
