// What the buggy programs of this folder share. Each is small, has one bug, and is written after an idea that
// benchmarks of concurrency bugs (SCTBench's CS, SV-COMP's pthread) have in many forms. N scales it.
#pragma once
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { kMost = 32 };
static pthread_t threads[kMost];
static int started;
typedef void* (*Routine)(void*);

static inline void start(Routine routine, intptr_t argument) {
  pthread_create(&threads[started++], NULL, routine, (void*)argument);
}
static inline void join_all(void) {
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
}
