// Standard input is an input, by whatever function it is read.
// CHECK: verdict=safe
// INPUTS: fixed
#include <pthread.h>
#include <stdio.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  int number = 0;
  if (scanf("%d", &number) == 1) return 1;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  return pthread_join(thread, NULL);
}
