// A signal without a handler ends the process, if the thread that sends it to itself is too late for the handler.
// CHECK: verdict=bug kind=crash line=@ends
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <signal.h>

static void handler(int number) { (void)number; }

static void* installs(void* unused) {
  signal(SIGUSR1, handler);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef FIXED
  installs(NULL);
#endif
  pthread_create(&thread, NULL, installs, NULL);
  raise(SIGUSR1);  // @ends
  pthread_join(thread, NULL);
  return 0;
}
