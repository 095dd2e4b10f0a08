// Stores of inputs wait in buffers, with what they depend on.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// OPTIONS: --memory-model tso
// INPUTS: explored
// MEMORY-MODELS: (it has its own)
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;
#ifdef FIXED
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif

static void* left(void* unused) {
  int input = (int)plait_input_range(1, 1000, "left");
  atomic_store_explicit(&x, input, ORDER);
  if (atomic_load_explicit(&x, memory_order_relaxed) != input) plait_assert(0);
  seen_y = atomic_load_explicit(&y, ORDER);
  return unused;
}

static void* right(void* unused) {
  int input;
  plait_input(&input, sizeof input, "right");
  plait_assume(input > 0);
  atomic_store_explicit(&y, input * 2, ORDER);
  seen_x = atomic_load_explicit(&x, ORDER);
  if (seen_x == 700) plait_assert(atomic_load_explicit(&x, ORDER) == 700);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, left, 0);
  pthread_create(&two, 0, right, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(seen_x != 0 || seen_y != 0 || y == 0);  // @fails
  return 0;
}
