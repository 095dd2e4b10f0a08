// Two steps that belong together, each under the lock. (SV-COMP: stateful01.)
#include "bugs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 10, right = 10;

static void* move(void* unused) {
  for (int* side = &left;; side = &right) {
    pthread_mutex_lock(&lock);
    *side += side == &left ? 5 : -5;
    pthread_mutex_unlock(&lock);
    if (side == &right) return unused;
  }
}
static void* check(void* unused) {
  pthread_mutex_lock(&lock);
  assert(left + right == 20);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start(move, 0);
  start(check, 0);
  join_all();
}
