// Figure 1 of the OOPSLA'16 paper: the position of an electron microscope's stage is a new object each time; who reads
// it must not find one that is not filled in yet.
#include "orders.h"

#ifndef MOVES
#define MOVES 1
#endif

struct point {
  SHARED(int) x, y;
};

typedef struct point* pointer;
static SHARED(pointer) current;
static pthread_mutex_t unused_by_others = PTHREAD_MUTEX_INITIALIZER;

static void* mover(void* unused) {
  for (int i = 1; i <= MOVES; ++i) {
    struct point* next = calloc(1, sizeof *next);
    set(next->x, i);
    set(next->y, i + 1);
    STORE_STORE_FENCE;
    set(current, next);
  }
  return unused;
}

static void* checker(void* unused) {
  struct point* seen;
  while (!(seen = get(current))) {
  }
  pthread_mutex_lock(&unused_by_others);  // as in the figure; it helps nobody
  pthread_mutex_unlock(&unused_by_others);
  assert(get(seen->x) + 1 == get(seen->y));
  return unused;
}

int main(void) {
  run_two(mover, checker);
  return 0;
}
