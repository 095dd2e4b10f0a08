#include "plait.h"

int use_header_in_c(int value) {
  plait_assume(value > 0);
  plait_yield();
  plait_atomic_begin();
  plait_assert(value > 0);
  plait_atomic_end();
  return value;
}
