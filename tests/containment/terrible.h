// The frame of the corpus: two threads, and in some interleavings only, one of them does something terrible.
#pragma once
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#endif

__attribute__((unused)) static volatile int sink;
__attribute__((unused)) static volatile int zero;
__attribute__((unused)) static void* volatile nowhere;
__attribute__((unused)) static int shared;
__attribute__((unused)) static char text[256] = "some text that is longer than four bytes";
__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
__attribute__((unused)) static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;

static void deed(void);

static int flag;

static void* waits(void* p) {
  if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) deed();
  return p;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  shared = 1;
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
  shared = 2;
  pthread_join(thread, 0);
  return 0;
}
