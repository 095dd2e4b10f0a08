// The classic programs of this field, written once for every checker: C11 atomics, pthreads, a size N given by -DN=...
//
// All shared data are sequentially consistent atomics or protected by a mutex, so a race detector has nothing to say
// and all tools answer the same question: can an assertion fail? A wait is an assumption (`await`), not a spin loop,
// because stateless checkers do not end in one. Plait and its peers each have their own name for that.
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __PLAIT__
#include "plait.h"
#define await(condition) plait_assume(condition)
#else
#ifndef GENMC  // which declares it by itself, with another type
void __VERIFIER_assume(int);
#endif
#define await(condition) __VERIFIER_assume(condition)
#endif

// Loads and stores in a form that reads well and that leaves no doubt where one access ends.
#define get(object) atomic_load(&(object))
#define set(object, value) atomic_store(&(object), (value))

/// Compare-and-swap, without the standard's habit of changing `expected`.
static inline int cas(atomic_int* object, int expected, int desired) {
  return atomic_compare_exchange_strong(object, &expected, desired);
}

// A thread knows its number by its argument.
#define number_of(argument) ((int)(intptr_t)(argument))
#define start(thread, routine, number) pthread_create(&(thread), NULL, (routine), (void*)(intptr_t)(number))
#define finish(thread) pthread_join((thread), NULL)
