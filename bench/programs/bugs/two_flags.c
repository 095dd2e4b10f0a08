// Dekker's flags where one thread asks first and tells after that.
#include "bugs.h"

static atomic_int wants[2], inside;

static void* enter(void* argument) {
  const intptr_t me = (intptr_t)argument;
  for (int i = 0; i < 3; ++i) {
    if (me == 0) wants[0] = 1;
    if (!wants[1 - me]) {
      wants[me] = 1;
      assert(atomic_fetch_add(&inside, 1) == 0);
      atomic_fetch_sub(&inside, 1);
    }
    wants[me] = 0;
  }
  return NULL;
}

int main(void) {
  start(enter, 0);
  start(enter, 1);
  join_all();
}
