// L1 to L5: benchmarks 6, programs on which the published algorithm loses states. -DL=1 ... 5.
#include "start.h"

static shared_int x, y, z, u;

#if L == 1
static void* t1(void* unused) {
  if (x == 1) z = 5;
  return NULL;
}
static void* t2(void* unused) {
  (void)z;
  x = 1;
  return NULL;
}
static void* t3(void* unused) {
  x = 1;
  return NULL;
}
#define ROUTINES {t1, t2, t3}
#elif L == 2
static void* t1(void* unused) {
  x = 2;
  return NULL;
}
static void meanwhile(void) { x = 1; }
#define ROUTINES {t1}
#define MEANWHILE meanwhile
#elif L == 3
static void* t1(void* unused) {
  if (x == 1) {
    z = 5;
    u = 7;
  }
  return NULL;
}
static void* t2(void* unused) {
  (void)z;
  x = 1;
  return NULL;
}
static void* t3(void* unused) {
  (void)u;
  x = 1;
  return NULL;
}
#define ROUTINES {t1, t2, t3}
#elif L == 4
static void* t1(void* unused) {
  (void)z;
  y = 1;
  return NULL;
}
static void* t2(void* unused) {
  (void)u;
  y = 1;
  return NULL;
}
static void* t3(void* unused) {
  x = 1;
  x = 2;
  return NULL;
}
static void* t4(void* unused) {
  const int c = y, a = x;
  if (c == 1 && a == 1) {
    z = 5;
    u = 7;
  }
  return NULL;
}
#define ROUTINES {t1, t2, t3, t4}
#elif L == 5
static void* t1(void* unused) {
  (void)x;
  return NULL;
}
static void* t2(void* unused) {
  y = 1;
  return NULL;
}
static void* t3(void* unused) {
  (void)y;
  return NULL;
}
static void meanwhile(void) { x = 1; }
#define ROUTINES {t1, t2, t3}
#define MEANWHILE meanwhile
#endif
#ifndef MEANWHILE
#define MEANWHILE NULL
#endif

int main(void) {
  void* (*const routines[])(void*) = ROUTINES;
  run_threads(routines, COUNT_OF(routines), MEANWHILE);
#if L == 2
  (void)x;
#endif
  return 0;
}
