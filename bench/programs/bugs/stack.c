// Pop looks whether the stack is empty, and takes the lock after that. (SV-COMP: stack.)
#include "bugs.h"

#ifndef N
#define N 5
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[N + 1];
static atomic_int top;

static void* push(void* unused) {
  for (int i = 0; i < N; ++i) {
    pthread_mutex_lock(&lock);
    item[top] = i;
    top = top + 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
static void* pop(void* unused) {
  for (int i = 0; i < N; ++i) {
    if (top == 0) continue;
    pthread_mutex_lock(&lock);
    assert(top > 0);
    top = top - 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  start(push, 0);
  start(pop, 0);
  start(pop, 0);
  join_all();
}
