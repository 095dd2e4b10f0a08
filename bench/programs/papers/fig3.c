// Figure 3 of the OOPSLA'16 paper: store buffering (a), message passing (b).
#include "start.h"

static shared_int x, y;

#ifdef MESSAGE_PASSING
static void* first(void* unused) {
  x = 1;
  y = 1;
  return NULL;
}
static void* second(void* unused) {
  if (y == 1) (void)x;
  return NULL;
}
#else
static void* first(void* unused) {
  x = 1;
  (void)y;
  return NULL;
}
static void* second(void* unused) {
  y = 1;
  (void)x;
  return NULL;
}
#endif

int main(void) {
  void* (*const routines[])(void*) = {first, second};
  run_threads(routines, 2, NULL);
  return 0;
}
