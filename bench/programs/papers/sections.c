// Small examples of the papers' text. -DEXAMPLE=31: ECOOP'17 section 3.1; 32: its Listing 2; 422: its section 4.2.2
// (benchmarks 3.2); 28: three threads in a ring, each with its own flag and its neighbour's (benchmarks 2.8).
#include "start.h"

static shared_int x, y, z;

#if EXAMPLE == 31
static void* t1(void* unused) {
  if (x == 0) (void)x;
  return NULL;
}
static void* t2(void* unused) {
  x = 1;
  return NULL;
}
#define ROUTINES {t1, t2}
#elif EXAMPLE == 32
static void* t1(void* unused) {
  x = 1;
  return NULL;
}
static void* t2(void* unused) {
  (void)x;
  (void)x;
  return NULL;
}
#define ROUTINES {t1, t2}
#elif EXAMPLE == 422
static void* t1(void* unused) {
  (void)y;
  return NULL;
}
static void* t2(void* unused) {
  x = 1;
  y = x;
  return NULL;
}
static void* t3(void* unused) {
  x = 2;
  return NULL;
}
#define ROUTINES {t1, t2, t3}
#elif EXAMPLE == 28
static int ring(shared_int* own, shared_int* next) {
  *own = 1;
  const int mine = *own;
  return mine == 1 && *next == 0;
}
static void* t1(void* unused) { return (void*)(long)ring(&x, &y); }
static void* t2(void* unused) { return (void*)(long)ring(&y, &z); }
static void* t3(void* unused) { return (void*)(long)ring(&z, &x); }
#define ROUTINES {t1, t2, t3}
#endif

int main(void) {
  void* (*const routines[])(void*) = ROUTINES;
  pthread_t threads[COUNT_OF(routines)];
  long all = 1;
  for (size_t i = 0; i < COUNT_OF(routines); ++i) pthread_create(&threads[i], NULL, routines[i], NULL);
  for (size_t i = 0; i < COUNT_OF(routines); ++i) {
    void* result;
    pthread_join(threads[i], &result);
    all = all && result;
  }
  property(!all);
  return 0;
}
