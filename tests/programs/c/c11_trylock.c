// mtx_trylock and mtx_timedlock report a busy mutex.
// CHECK: verdict=safe
// OUTCOMES: "0 0\n" "0 1\n" "1 0\n" "1 1\n"
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;

static int worker(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_timed);
  thrd_t one;
  thrd_create(&one, worker, NULL);
  int first = mtx_trylock(&mutex);
  assert(first == thrd_success || first == thrd_busy);
  if (first == thrd_success) mtx_unlock(&mutex);
  struct timespec deadline = {1, 0};
  int second = mtx_timedlock(&mutex, &deadline);
  assert(second == thrd_success || second == thrd_timedout);
  if (second == thrd_success) mtx_unlock(&mutex);
  thrd_join(one, NULL);
  printf("%d %d\n", first != thrd_success, second != thrd_success);
  return 0;
}
