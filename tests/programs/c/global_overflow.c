// Check-then-act on the number of elements: in one order the last element lands behind the array.
// CHECK: verdict=bug kind=out-of-bounds line=@write
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static int items[2];
static int neighbour = 7;
static atomic_int used = 1;

static void append(int item) {
#ifdef FIXED
  int place = atomic_fetch_add(&used, 1);
  if (place < 2) items[place] = item;
#else
  if (used < 2) {
    int place = atomic_fetch_add(&used, 1);
    items[place] = item;  // @write
  }
#endif
}

static void* other(void* unused) {
  append(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  append(2);
  pthread_join(thread, NULL);
  return neighbour - 7;
}
