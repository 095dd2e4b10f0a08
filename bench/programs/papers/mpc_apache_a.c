// apache-a of MPC's Table 3 (paper 003; ConCREST), a buffer of log lines: benchmarks 4.8.
#include <plait.h>

#include "start.h"

static shared_int count = 5;
static int size;

static void* writer(void* number) {
  const int length = 1 + (int)(long)number;
  if (length + count > size) {
    if (count) count = 0;
  }
  if (length < size) {
    const int expected = count + length;
    count = count + length;
    if (count != expected) property(!"lost");
  }
  return NULL;
}

int main(void) {
  plait_input(&size, sizeof size, "BUF");
  void* (*const routines[])(void*) = {writer, writer};
  run_threads(routines, 2, NULL);
  return 0;
}
