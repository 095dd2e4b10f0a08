// Standard input is an input, by whatever function it is read.
// CHECK: verdict=safe
// INPUTS: fixed
#include <pthread.h>
#include <stdio.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  int number = 0;
  return scanf("%d", &number) == 1;
}
