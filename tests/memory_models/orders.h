// One source, all shared accesses of one order: compile with -DPLAIN, -DVOLATILE, -DRELAXED, -DRELEASE_ACQUIRE or
// -DSEQ_CST.
#pragma once
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined PLAIN || defined VOLATILE
#ifdef PLAIN
#define SHARED(type) type
#else
#define SHARED(type) type volatile
#endif
#define get(object) (object)
#define set(object, value) ((object) = (value))
#define cas(object, expected, desired) __sync_bool_compare_and_swap(&(object), expected, desired)
#else
#if defined RELAXED
#define LOAD memory_order_relaxed
#define STORE memory_order_relaxed
#define CHANGE memory_order_relaxed
#elif defined RELEASE_ACQUIRE
#define LOAD memory_order_acquire
#define STORE memory_order_release
#define CHANGE memory_order_acq_rel
#elif defined SEQ_CST
#define LOAD memory_order_seq_cst
#define STORE memory_order_seq_cst
#define CHANGE memory_order_seq_cst
#else
#error "no order was chosen"
#endif
#define SHARED(type) type _Atomic
#define get(object) atomic_load_explicit(&(object), LOAD)
#define set(object, value) atomic_store_explicit(&(object), value, STORE)
#define cas(object, expected, desired) change(&(object), expected, desired)
static inline int change(atomic_int* object, int expected, int desired) {
  return atomic_compare_exchange_strong_explicit(object, &expected, desired, CHANGE, LOAD);
}
#endif

// Programs have STORE_LOAD_FENCE where a store must be in memory before the next load, and STORE_STORE_FENCE where one
// must be there before the next store: nothing, unless -DSTORE_LOAD_FENCE=... or -DSTORE_STORE_FENCE=... names one of
// these.
#define FULL_FENCE atomic_thread_fence(memory_order_seq_cst)
#define RELEASE_FENCE atomic_thread_fence(memory_order_release)
#define ACQ_REL_FENCE atomic_thread_fence(memory_order_acq_rel)
#define ACQUIRE_FENCE atomic_thread_fence(memory_order_acquire)
#define SIGNAL_FENCE atomic_signal_fence(memory_order_seq_cst)
#define SYNCHRONIZE __sync_synchronize()
#define MM_MFENCE _mm_mfence()
#define MM_SFENCE _mm_sfence()
#define MM_LFENCE _mm_lfence()
#define ASM_MFENCE __asm__ volatile("mfence" ::: "memory")
#define ASM_SFENCE __asm__ volatile("sfence" ::: "memory")
#define ASM_LOCKED_ADD __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc")
#define ASM_BARRIER __asm__ volatile("" ::: "memory")
#define ASM_PAUSE __asm__ volatile("rep; nop" ::: "memory")
#define YIELD sched_yield()
#define OWN_CHANGE own_change()
#define OWN_MUTEX own_mutex()

#ifndef STORE_LOAD_FENCE
#define STORE_LOAD_FENCE (void)0
#endif
#ifndef STORE_STORE_FENCE
#define STORE_STORE_FENCE (void)0
#endif

/// A read-modify-write and a mutex that no other thread uses.
static inline void own_change(void) {
  atomic_int mine;
  atomic_init(&mine, 0);
  atomic_fetch_add_explicit(&mine, 1, memory_order_relaxed);
}
static inline void own_mutex(void) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  pthread_mutex_unlock(&mine);
}

/// Two threads that know their numbers, 0 and 1.
static inline void run_two(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, (void*)(intptr_t)0);
  pthread_create(&threads[1], NULL, second, (void*)(intptr_t)1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
