// A loop that an input bounds, within a range.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void* add(void* unused) {
  int turns = (int)plait_input_range(0, 5, "turns");
  for (int i = 0; i < turns; ++i) sum += i;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
#ifdef FIXED
  assert(sum <= 10);
#else
  assert(sum != 10);  // @fails
#endif
  return 0;
}
