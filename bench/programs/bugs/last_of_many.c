// A hundred steps of four threads that do not matter, and two that do.
#include "bugs.h"

static atomic_int noise[4], ready, data = 1;

static void* work(void* argument) {
  const intptr_t me = (intptr_t)argument;
  for (int i = 0; i < 25; ++i) atomic_fetch_add(&noise[(me + i) % 4], i);
  if (me == 0) {
    data = 0;
    data = 1;
  }
  if (me == 3) assert(data);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 4; ++i) start(work, i);
  join_all();
}
