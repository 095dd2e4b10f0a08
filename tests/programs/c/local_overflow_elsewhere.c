// Another thread writes behind a local array, and never touches the array itself: while the array lives, that is out of
// its bounds; afterwards it is a use of something that lives no longer.
// CHECK: verdict=bug kind=out-of-bounds|use-after-scope line=@write
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>

static atomic_int behind;
static pthread_t thread;

static void* other(void* array) {
#ifdef FIXED
  const int place = behind;
  if (place < 4) ((int*)array)[place] = 1;
#else
  if (behind) ((int*)array)[behind] = 1;  // @write
#endif
  return NULL;
}

static void start(void) {
  int array[4];
  pthread_create(&thread, NULL, other, array);
  behind = 4;
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
}

int main(void) {
  start();
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
  return 0;
}
