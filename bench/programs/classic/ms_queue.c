// The Michael-Scott queue: N threads enqueue one node each, one thread tries to dequeue N times.
// Nodes have numbers from 1; 0 is no node; node N + 1 is the first dummy.
#include "classic.h"

static atomic_int head = N + 1, tail = N + 1, next[N + 2];

static void* producer(void* argument) {
  const int node = number_of(argument) + 1;
  for (;;) {
    const int last = get(tail), after = get(next[last]);
    if (last != get(tail)) continue;
    if (after != 0) {
      cas(&tail, last, after);
      continue;
    }
    if (!cas(&next[last], 0, node)) continue;
    cas(&tail, last, node);
    return NULL;
  }
}

static int dequeue(void) {
  for (;;) {
    const int first = get(head), last = get(tail), after = get(next[first]);
    if (first != get(head)) continue;
    if (first != last) {
      if (cas(&head, first, after)) return after;
    } else if (after == 0) {
      return 0;
    } else {
      cas(&tail, last, after);
    }
  }
}

static void* consumer(void* unused) {
  int seen[N + 2] = {0};
  for (int k = 0; k < N; ++k) {
    const int node = dequeue();
    assert(0 <= node && node <= N);
    assert(node == 0 || !seen[node]);
    seen[node] = 1;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  for (int i = 0; i < N; ++i) start(threads[i], producer, i);
  start(threads[N], consumer, N);
  for (int i = 0; i <= N; ++i) finish(threads[i]);
  return 0;
}
