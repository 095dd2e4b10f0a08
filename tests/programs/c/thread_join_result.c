// pthread_join's result goes to a variable that another thread reads.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* result;
static int seven = 7;

static void* returns(void* unused) {
  (void)unused;
  return &seven;
}

static void* looks(void* unused) {
  assert(result == NULL);
  return unused;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, returns, NULL);
  pthread_create(&b, NULL, looks, NULL);
#ifdef FIXED
  pthread_join(b, NULL);
  pthread_join(a, &result);
#else
  pthread_join(a, &result);
  pthread_join(b, NULL);
#endif
  assert(result == &seven);
  return 0;
}
