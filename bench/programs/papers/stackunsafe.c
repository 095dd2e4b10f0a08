// StackUnsafe: benchmarks 2.7.
#include "start.h"
#define SIZE 5

static shared_int top, flag, error, array[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* pusher(void* unused) {
  for (int i = 0; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
    if (top == SIZE) {
      property(0), error = 1;
    } else {
      array[top] = i;
      top = top + 1;
    }
    flag = 1;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void* popper(void* unused) {
  for (int i = 0; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
    if (flag) {
      if (top == 0) {
        property(0), error = 2;
      } else {
        top = top - 1;
        (void)array[top];
      }
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {pusher, popper};
  run_threads(routines, 2, NULL);
  return 0;
}
