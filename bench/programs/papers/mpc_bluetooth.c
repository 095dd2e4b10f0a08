// bluetooth of MPC's Table 3 (paper 003; ConCREST): benchmarks 4.8.
#include <plait.h>

#include "start.h"

static shared_int pending = 1, stopping_event, stopped, stopping;

static void add(int checks) {
  int status;
  if (stopping == 1) {
    status = -1;
  } else {
    pending = pending + 1;
    status = 0;
  }
  if (status == 0 && checks) {
    if (stopped == 1) property(!"stopped");
  }
  pending = pending - 1;
  if (pending == 0) stopping_event = 1;
}

static void stop(void) {
  stopping = 1;
  pending = pending - 1;
  if (pending == 0) stopping_event = 1;
  stopped = 1;
}

static void* dispatch(void* number) {
  const char name[] = {'i', (char)('1' + (long)number), 0};
  int input;
  plait_input(&input, sizeof input, name);
  if (input == 1)
    add(number == NULL);
  else
    stop();
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {dispatch, dispatch};
  run_threads(routines, 2, NULL);
  return 0;
}
