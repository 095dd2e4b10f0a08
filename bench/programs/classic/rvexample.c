// The example of the PLDI'15 paper (Figure 2) with N turns of each thread's loop in place of 2.
#include "classic.h"

static pthread_mutex_t lock;
static atomic_int x, y, error;

static void first(void) {
  for (int k = 0; k < N; ++k) {
    pthread_mutex_lock(&lock);
    set(x, 1);
    set(y, 1);
    pthread_mutex_unlock(&lock);
  }
}

static void* second(void* unused) {
  for (int k = 0; k < N; ++k) {
    pthread_mutex_lock(&lock);
    set(x, 0);
    pthread_mutex_unlock(&lock);
    if (get(x) > 0) {
      set(y, get(y) + 1);
      set(x, 2);
    }
  }
  return NULL;
}

static void* third(void* unused) {
  for (int k = 0; k < N; ++k)
    if (get(x) > 1) {
      if (get(y) == 3)
        set(error, 1);
      else
        set(y, 2);
    }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_init(&lock, NULL);
  start(threads[0], second, 0);
  start(threads[1], third, 1);
  first();
  finish(threads[0]);
  finish(threads[1]);
  return 0;
}
