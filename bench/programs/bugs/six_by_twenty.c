// Six threads with 20 updates each; two of them forget the lock in one of these.
#include "bugs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;

static void* work(void* argument) {
  const intptr_t me = (intptr_t)argument;
  for (int i = 0; i < 20; ++i) {
    const int locks = !(me < 2 && i == 10);
    if (locks) pthread_mutex_lock(&lock);
    sum = sum + 1;
    if (locks) pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < 6; ++i) start(work, i);
  join_all();
  assert(sum == 120);
}
