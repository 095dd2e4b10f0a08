// The writer tells of the item before it is there. (SCTBench: circular_buffer.)
#include "bugs.h"

#ifndef N
#define N 7
#endif
static atomic_int buffer[N], written, taken;

static void* send(void* unused) {
  for (int i = 0; i < N; ++i) {
    const int at = written;
    written = at + 1;
    buffer[at % N] = i + 1;
  }
  return unused;
}
static void* receive(void* unused) {
  for (int i = 0; i < N; ++i) {
    if (taken == written) continue;
    assert(buffer[taken % N] == taken + 1);
    taken = taken + 1;
  }
  return unused;
}

int main(void) {
  start(send, 0);
  start(receive, 0);
  join_all();
}
