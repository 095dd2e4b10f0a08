// Local variables that stay in memory: an array of which one element is left out, and everything at -O0.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// FLAGS: -O0 -Wno-sometimes-uninitialized
// BUGS: 3
// OPTIONS: --keep-going --check uninitialised-read
#include <pthread.h>
#include <stdlib.h>

struct pair {
  int first, second;
};
static volatile int zero;

static void *element(void *unused) {
  (void)unused;
  int numbers[8];
#ifdef FIXED
  const int begin = 0;
#else
  const int begin = 1;
#endif
  for (int i = begin; i < 8; ++i) numbers[i] = i;
  if (numbers[zero] == 5) abort();  // @use
  return NULL;
}

static void *member(void *unused) {
  (void)unused;
  struct pair pair, *block = malloc(sizeof *block);
  block->first = 1;
#ifdef FIXED
  block->second = 1;
#endif
  pair = *block;
  struct pair copy = pair;
  free(block);
  if (copy.first != 1) abort();
  if (copy.second == 2) abort();  // @use
  return NULL;
}

static void *scalar(void *unused) {
  (void)unused;
  int found;
  if (zero) found = 1;
#ifdef FIXED
  found = 0;
#endif
  while (found) ++zero;  // @use
  return NULL;
}

int main(void) {
  void *(*routines[])(void *) = {element, member, scalar};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, routines[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
