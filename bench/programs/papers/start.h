// What the benchmark programs share: one instrumented location per shared variable, and main forks and joins its threads.
// `volatile` keeps every access where the source has it; races are intended in most of these programs.
#pragma once
#include <pthread.h>
#include <stddef.h>

typedef volatile int shared_int;

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static inline void run_threads(void *(*const *routines)(void *), int count, void (*meanwhile)(void)) {
  pthread_t threads[32];
  for (long i = 0; i < count; ++i) pthread_create(&threads[i], NULL, routines[i], (void *)i);
  if (meanwhile) meanwhile();
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
