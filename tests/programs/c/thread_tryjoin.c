// A thread that has nothing left to do but end may have ended or not: pthread_tryjoin_np, also by a stranger.
// CHECK: verdict=safe
// OUTCOMES: "ended\n" "busy\n"
// EXPLORERS: all
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t worker;
static int answer;

static void* works(void* argument) { return argument; }

static void* asks(void* unused) {
  void* result = NULL;
  answer = pthread_tryjoin_np(worker, &result);
  if (answer == 0) assert(result == &answer);
  return unused;
}

int main() {
  pthread_t stranger;
  pthread_create(&worker, NULL, works, &answer);
  pthread_create(&stranger, NULL, asks, NULL);
  pthread_join(stranger, NULL);
  assert(answer == 0 || answer == EBUSY);
  if (answer == EBUSY) pthread_join(worker, NULL);
  puts(answer == 0 ? "ended" : "busy");
  return 0;
}
