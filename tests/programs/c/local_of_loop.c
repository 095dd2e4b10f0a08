// The address of a loop's local is given to a thread; the next turn's local has the same address.
// CHECK: verdict=bug kind=use-after-scope line=@read
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *number) {
  sum += *(int *)number;  // @read
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    int number = i;
    pthread_create(&threads[i], NULL, add, &number);
#ifdef FIXED
    pthread_join(threads[i], NULL);
#endif
  }
#ifndef FIXED
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
#endif
}
