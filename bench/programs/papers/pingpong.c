// PingPong: benchmarks 1.7. THREADS workers pass a pointer around; a null one ends the worker.
#include "start.h"
#ifndef THREADS
#define THREADS 5
#endif

struct Object {
  shared_int i;
};
static struct Object object;
#ifdef ATOMIC
static struct Object* _Atomic pointer = &object;
#else
static struct Object* volatile pointer = &object;
#endif

static void* player(void* unused) {
  struct Object* seen = pointer;
  property(seen != NULL);  // the null dereference of the original
  if (seen == NULL) return NULL;
  (void)seen->i;
  struct Object* next = pointer;
  pointer = NULL;
  pointer = next;
  return NULL;
}

int main(void) {
  void* (*routines[THREADS])(void*);
  for (int i = 0; i < THREADS; ++i) routines[i] = player;
  run_threads(routines, THREADS, NULL);
  return 0;
}
