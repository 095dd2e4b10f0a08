// Check-then-act on the number of elements: in one order the second element lands behind the block.
// CHECK: verdict=bug kind=heap-overflow line=@write
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* items;
static atomic_int used;

static void append(int item) {
#ifdef FIXED
  int place = atomic_fetch_add(&used, 1);
  if (place < 1) items[place] = item;
#else
  if (used < 1) {
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
  items = malloc(sizeof(int));
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  append(2);
  pthread_join(thread, NULL);
  free(items);
  return 0;
}
