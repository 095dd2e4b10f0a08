// Treiber's stack: each of two threads pushes a node with a value and pops one. Nodes have numbers from 1; 0 is the end
// of the list. A try fails only when the other thread's has succeeded, so the loops end.
#include "orders.h"

static SHARED(int) top, next[3], value[3];

static void push(int node) {
  int old;
  set(value[node], 10 + node);
  do {
    old = get(top);
    set(next[node], old);
  } while (!cas(top, old, node));
}

static int pop(void) {
  for (;;) {
    const int old = get(top);
    if (old == 0) return 0;
    if (cas(top, old, get(next[old]))) return old;
  }
}

static void* worker(void* argument) {
  push((int)(intptr_t)argument + 1);
  const int node = pop();
  assert(node != 0);  // never more pops than pushes
  assert(get(value[node]) == 10 + node);
  return NULL;
}

int main(void) {
  run_two(worker, worker);
  assert(get(top) == 0);
  return 0;
}
