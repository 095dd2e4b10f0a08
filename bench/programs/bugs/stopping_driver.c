// A request comes in between the look at "is it stopping?" and the note that it is under way. (The Bluetooth driver.)
#include "bugs.h"

static atomic_int stopping, under_way = 1, stopped;

static void release(void) {
  if (atomic_fetch_sub(&under_way, 1) == 1) stopped = 1;
}
static void* request(void* unused) {
  if (!stopping) {
    atomic_fetch_add(&under_way, 1);
    assert(!stopped);
    release();
  }
  return unused;
}
static void* stop(void* unused) {
  stopping = 1;
  release();
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; ++i) start(request, 0);
  start(stop, 0);
  join_all();
}
