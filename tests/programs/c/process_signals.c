// Signal handlers belong to the process: a thread that raises a signal meets the handler that another has installed, and no run meets an earlier one's.
// CHECK: verdict=bug kind=abort line=@handled
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static _Thread_local int handled;

static void handler(int number) {
#ifndef FIXED
  if (number == SIGUSR1) abort();  // @handled
#endif
  handled = number;
}

static void* installs(void* unused) {
  struct sigaction action = {.sa_handler = handler};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  return unused;
}

static void* raises(void* unused) {
  raise(SIGUSR1);
#ifdef FIXED
  assert(handled == 0 || handled == SIGUSR1);
#endif
  return unused;
}

int main() {
  assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
  pthread_t a, b;
  pthread_create(&a, NULL, raises, NULL);
  pthread_create(&b, NULL, installs, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FIXED
  raise(SIGUSR1);
  assert(handled == SIGUSR1 && signal(SIGUSR1, SIG_DFL) == handler);
  signal(SIGUSR1, handler);
#endif
  return 0;
}
