// Two locks whose owners are counted; one order of all locks leads to a circle. (SCTBench: carter01.)
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void* first(void* unused) {
  pthread_mutex_lock(&m);
  if (++a == 1) pthread_mutex_lock(&l);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (--a == 0) pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&m);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&m);
  if (++b == 1) pthread_mutex_lock(&l);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (--b == 0) pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&m);
  return unused;
}
static void* nothing(void* unused) { return unused; }

int main(void) {
  start(first, 0);
  start(second, 0);
  start(nothing, 0);
  start(nothing, 0);
  join_all();
}
