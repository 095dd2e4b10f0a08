// A hash table whose insertion looks first and writes later. (SV-COMP: indexer.)
#include "bugs.h"

#ifndef N
#define N 4
#endif
static atomic_int table[16];

static void* insert(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (int k = 0; k < 3; ++k) {
    int at = (me * 3 + k * 5) % 16;
    while (table[at]) at = (at + 1) % 16;
    table[at] = me * 3 + k + 1;
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; ++i) start(insert, i);
  join_all();
  int used = 0;
  for (int i = 0; i < 16; ++i) used += table[i] != 0;
  assert(used == 3 * N);
}
