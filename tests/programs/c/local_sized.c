// Locals whose size only the run knows end like others: with their block, their function, their thread.
// CHECK: verdict=bug kind=use-after-scope line=@late
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// OPTIONS: --keep-going --races off
// BUGS: 3
#include <alloca.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* _Atomic of_block;
static int* _Atomic of_function;
static int* _Atomic of_thread;

static __attribute__((noinline)) void makes_one(int size) {
  int* local = alloca(size * sizeof(int));
  local[0] = 0;
  of_function = local;
#ifdef FIXED
  of_function = NULL;
#endif
}

static void* owner(void* size) {
  for (int i = 1; i < 3; ++i) {
    int local[i * (int)(long)size];
    local[0] = 0;
    if (i == 1) of_block = local;
#ifdef FIXED
    of_block = NULL;
#endif
  }
  makes_one((int)(long)size);
  int own[(long)size];
  own[0] = 0;
  of_thread = own;
#ifdef FIXED
  of_thread = NULL;
#endif
  return NULL;
}

static void* user(void* unused) {
#ifndef FIXED
  int* block = of_block;
  if (block) *block = 1;  // @late
  int* function = of_function;
  if (function) *function = 1;  // @late
  int* thread = of_thread;
  if (thread) *thread = 1;  // @late
#else
  if (of_block == of_thread && of_function == of_thread) sched_yield();
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, owner, (void*)4L);
  pthread_create(&second, NULL, user, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
