// A bounded queue whose count is changed outside of the lock. (SV-COMP: queue.)
#include "bugs.h"

#ifndef N
#define N 6
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[N], head, tail;
static volatile int count;

static void* put(void* unused) {
  for (int i = 0; i < N; ++i) {
    pthread_mutex_lock(&lock);
    item[tail++ % N] = i;
    pthread_mutex_unlock(&lock);
    count = count + 1;
  }
  return unused;
}
static void* take(void* unused) {
  for (int got = 0; got < N;) {
    pthread_mutex_lock(&lock);
    if (head < tail) {
      assert(item[head++ % N] == got++);
      count = count - 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  start(put, 0);
  start(take, 0);
  join_all();
  assert(count == 0);
}
