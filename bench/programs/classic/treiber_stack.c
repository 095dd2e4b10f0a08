// Treiber's stack: each of N threads pushes its own node and pops one. Nodes are not used again, so nothing is popped
// twice. Nodes have numbers from 1; 0 is the end of the list. A try fails only when another thread's succeeded, so the
// loops end.
#include "classic.h"

static atomic_int top, next[N + 1], popped[N + 1];

static void push(int node) {
  int old;
  do {
    old = get(top);
    set(next[node], old);
  } while (!cas(&top, old, node));
}

static int pop(void) {
  for (;;) {
    const int old = get(top);
    if (old == 0) return 0;
    if (cas(&top, old, get(next[old]))) return old;
  }
}

static void* process(void* argument) {
  push(number_of(argument) + 1);
  const int node = pop();
  assert(node != 0);  // there are never more pops than pushes
  assert(atomic_fetch_add(&popped[node], 1) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) start(threads[i], process, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  assert(get(top) == 0);
  return 0;
}
