// A sequence lock: the writer changes a pair twice, the reader tries until it has a consistent one. RELAXED_DATA: the
// pair itself needs no order, as people often write it.
#include "orders.h"

static SHARED(int) sequence, left, right;

#ifdef RELAXED_DATA
#define set_data(object, value) atomic_store_explicit(&(object), value, memory_order_relaxed)
#else
#define set_data(object, value) set(object, value)
#endif

static void* writer(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    set(sequence, 2 * i - 1);
    STORE_STORE_FENCE;
    set_data(left, i);
    set_data(right, i);
    STORE_STORE_FENCE;
    set(sequence, 2 * i);
  }
  return unused;
}

static void* reader(void* unused) {
  int before, x, y;
  do {
    before = get(sequence);
    x = get(left);
    y = get(right);
  } while (before % 2 || before != get(sequence));
  assert(x == y);
  return unused;
}

int main(void) {
  run_two(writer, reader);
  return 0;
}
