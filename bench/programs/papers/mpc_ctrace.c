// ctrace1 and ctrace2 (-DTURNS=10) of MPC's Table 3 (paper 003; ConCREST): a tracing library whose list of threads is
// changed without its lock: benchmarks 4.8.
#include "start.h"
#ifndef TURNS
#define TURNS 1
#endif

static shared_int tracing = 1, on = 1, present, readers, printed;
static pthread_mutex_t h = PTHREAD_MUTEX_INITIALIZER, w = PTHREAD_MUTEX_INITIALIZER;

static void begin_reading(void) {
  pthread_mutex_lock(&h);
  readers = readers + 1;
  pthread_mutex_unlock(&h);
}

static void end_reading(void) {
  pthread_mutex_lock(&h);
  readers = readers - 1;
  pthread_mutex_unlock(&h);
}

static void add_thread(void) {
  begin_reading();
  const int found = present > 0;
  end_reading();
  if (!found) {
    const int before = present;
    present = before + 1;
    if (present > 1) property(!"two entries of one thread");
  }
}

static void trace(void) {
  begin_reading();
  const int found = present > 0;
  end_reading();
  if (!found) return;
  if (!on) return;
  pthread_mutex_lock(&w);
  printed = printed + 1;
  pthread_mutex_unlock(&w);
}

static void* foo(void* unused) {
  add_thread();
  if (tracing) trace();
  for (int n = 0; n < TURNS; ++n) {
    if (!tracing) property(!"not tracing any more");
    trace();
  }
  return unused;
}

static void* bar(void* unused) {
  add_thread();
  tracing = 0;
  present = 0;
  on = 0;
  return unused;
}

int main(void) {
  void* (*const routines[])(void*) = {foo, bar};
  run_threads(routines, 2, NULL);
  return 0;
}
