// The main thread frees what the worker may still read.
// CHECK: verdict=bug kind=use-after-free line=@use
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdlib.h>

struct job {
  int size;
};

static void* worker(void* argument) {
  struct job* job = argument;
  int size = job->size;  // @use
  return size ? NULL : argument;
}

int main(void) {
  struct job* job = malloc(sizeof *job);
  job->size = 3;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, job);
#ifdef FIXED
  pthread_join(thread, NULL);
  free(job);
#else
  free(job);
  pthread_join(thread, NULL);
#endif
  return 0;
}
