// splay and rbtree (-DRBTREE) of MPC's Table 3 (paper 003; ConCREST): what their threads share: benchmarks 4.8.
#include "start.h"

static shared_int operations, last_insert, last_insert2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static int get(pthread_mutex_t* lock, shared_int* at) {
  pthread_mutex_lock(lock);
  const int value = *at;
  pthread_mutex_unlock(lock);
  return value;
}

static void set(pthread_mutex_t* lock, shared_int* at, int value) {
  pthread_mutex_lock(lock);
  *at = value;
  pthread_mutex_unlock(lock);
}

static void count_one(void) {
  pthread_mutex_lock(&m);
  operations = operations + 1;
  pthread_mutex_unlock(&m);
}

static void* use(void* number) {
  const int me = 1 + (int)(long)number;
  int seen = 0;
  if (get(&m, &operations) == 1) ++seen;
#ifdef RBTREE
  if (get(&m, &operations) == 3) ++seen;
#endif
  count_one();
  set(&n, &last_insert, me);
#ifdef RBTREE
  for (int wanted = 3; wanted <= 5; ++wanted)
    if (get(&m, &operations) == wanted) ++seen;
  count_one();
  set(&n, &last_insert2, me);
  if (get(&n, &last_insert) != me) ++seen;
  count_one();
  if (get(&n, &last_insert2) != me) ++seen;
  count_one();
#else
  if (get(&m, &operations) == 3) {
    if (get(&n, &last_insert) != me) ++seen;
  }
  if (get(&m, &operations) == 4) {
    if (get(&n, &last_insert) != me) ++seen;
  }
  count_one();
  count_one();
#endif
  (void)seen;
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {use, use};
  run_threads(routines, 2, NULL);
  return 0;
}
