// apache-b of MPC's Table 3 (paper 003; ConCREST), a cached object that is counted: benchmarks 4.8.
#include <plait.h>

#include "start.h"

static shared_int references, complete, cleanup;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* release(void* unused) {
  if (!complete) {
    pthread_mutex_lock(&m);
    if (!cleanup) {
      references = references - 1;
      cleanup = 1;
    }
    pthread_mutex_unlock(&m);
  }
  const int left = references - 1;
  references = left;
  if (references == 0) {
    if (left != references) property(!"another's");
    if (cleanup) references = -1;  // freed
  }
  return unused;
}

int main(void) {
  int any[3];
  plait_input(any, sizeof any, "any");
  references = any[0];
  complete = any[1];
  cleanup = any[2];
  void* (*const routines[])(void*) = {release, release};
  run_threads(routines, 2, NULL);
  return 0;
}
