// What the benchmark programs share: one instrumented location per shared variable, and main forks and joins its
// threads. `volatile` keeps every access where the source has it; races are intended in most of these programs. ATOMIC
// makes them atomic accesses in the same places, for tools that stop at a race.
#pragma once
#include <pthread.h>
#include <stddef.h>

#ifdef ATOMIC
typedef _Atomic int shared_int;
#else
typedef volatile int shared_int;
#endif

// What the benchmark's description calls an error. Counting classes needs runs that go on to their end, so only
// -DPROPERTY makes it one.
#ifdef PROPERTY
#include <assert.h>
#define property(condition) assert(condition)
#else
#define property(condition) ((void)(condition))
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static inline void run_threads(void* (*const* routines)(void*), int count, void (*meanwhile)(void)) {
  pthread_t threads[32];
  for (long i = 0; i < count; ++i) pthread_create(&threads[i], NULL, routines[i], (void*)i);
  if (meanwhile) meanwhile();
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
