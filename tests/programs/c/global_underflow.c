// Two threads pop the last element of a stack: in one order the second one reads in front of it.
// CHECK: verdict=bug kind=out-of-bounds line=@read
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static struct {
  int items[3];
} stack = {{5, 6, 7}};
static atomic_int top = 1;

static int pop(void) {
#ifdef FIXED
  int place = atomic_load(&top);
  while (place > 0 && !atomic_compare_exchange_strong(&top, &place, place - 1)) {
  }
  return place > 0 ? stack.items[place - 1] : 0;
#else
  if (atomic_load(&top) == 0) return 0;
  return stack.items[atomic_fetch_sub(&top, 1) - 1];  // @read
#endif
}

static void* other(void* unused) {
  pop();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pop();
  pthread_join(thread, NULL);
  return 0;
}
