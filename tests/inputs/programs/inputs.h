// What programs.c and threads.c share.
#pragma once
#include <limits.h>
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern unsigned char __VERIFIER_nondet_u8(void);
extern unsigned short __VERIFIER_nondet_u16(void);
extern unsigned __VERIFIER_nondet_u32(void);
extern unsigned long long __VERIFIER_nondet_u64(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void klee_make_symbolic(void*, size_t, const char*);
extern int klee_range(int, int, const char*);
extern int klee_int(const char*);
extern void klee_assume(uintptr_t);

#define PROGRAM(name) static void name(void)
#define IN(low, high, name) ((int)plait_input_range(low, high, name))

static pthread_t threads[3];
static void start(int n, void* (*f)(void*), void* argument) { pthread_create(&threads[n], 0, f, argument); }
static void wait_for(int n) {
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
}
