// The pointer may be taken away between the test and the use.
// CHECK: verdict=bug kind=null-dereference line=@use
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>

static int value = 7;
static int* _Atomic pointer = &value;

static void* other(void* unused) {
  pointer = NULL;
  return unused;
}

int main(void) {
  pthread_t thread;
  int result = 0;
  pthread_create(&thread, NULL, other, NULL);
#ifdef FIXED
  int* mine = pointer;
  if (mine) result = *mine;
#else
  if (pointer) result = *pointer;  // @use
#endif
  pthread_join(thread, NULL);
  return result == 7 || result == 0 ? 0 : 1;
}
