// The small examples of MPC (paper 003), Figures 1, 6, 7 and 8: benchmarks 4.10.
#include <plait.h>

#include "start.h"

static shared_int x, y;
static int i, j;

#if FIGURE == 1
static void* first(void* unused) {
  x = i;
  x = 2;
  return unused;
}
static void* second(void* unused) {
  x = j;
  x = 4;
  return unused;
}
static void* third(void* unused) {
  if (x >= 100)
    property(!"error");
  else
    y = 2;
  return unused;
}
#elif FIGURE == 6
static int r1, r2;
static void* first(void* unused) {
  r1 = x;
  r2 = x;
  return unused;
}
static void* second(void* unused) {
  x = 1;
  return unused;
}
#elif FIGURE == 7
static void* first(void* unused) {
  if (y == 1)
    x = 1;
  else
    x = 2;
  return unused;
}
static void* second(void* unused) {
  if (x == 2)
    y = 2;
  else
    y = 1;
  return unused;
}
#else
static void* first(void* unused) {
  if (i > 0)
    x = 1;
  else if (j > 0)
    x = 2;
  else
    x = 3;
  return unused;
}
static void* second(void* unused) {
  if (x == 2) property(!"error");
  return unused;
}
#endif

int main(void) {
#if FIGURE == 1
  void* (*const routines[])(void*) = {first, second, third};
#else
  void* (*const routines[])(void*) = {first, second};
#endif
#if FIGURE == 1 || FIGURE == 8
  plait_input(&i, sizeof i, "i");
  plait_input(&j, sizeof j, "j");
#endif
  run_threads(routines, COUNT_OF(routines), NULL);
#if FIGURE == 6
  property(r1 + r2 < 2);
#endif
  (void)i, (void)j, (void)y;
  return 0;
}
