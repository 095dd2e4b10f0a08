// A thread that fails does not keep the others from going on: both assertions are found, the second only after the first.
// CHECK: verdict=bug kind=assertion line=@first|@second
// OPTIONS: --races off --keep-going
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>

static int x;

static void* failing(void* unused) {
  x = 1;
  assert(0);  // @first
  return unused;
}

static void* reading(void* unused) {
  assert(x == 0);  // @second
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, failing, NULL);
  pthread_create(&b, NULL, reading, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
