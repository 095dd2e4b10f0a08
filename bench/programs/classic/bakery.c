// Lamport's bakery, one round for each of N threads.
#include "classic.h"

static atomic_int entering[N], number[N], owner;

static void* process(void* argument) {
  const int me = number_of(argument);
  set(entering[me], 1);
  int largest = 0;
  for (int i = 0; i < N; ++i) {
    const int ticket = get(number[i]);
    if (ticket > largest) largest = ticket;
  }
  const int mine = largest + 1;
  set(number[me], mine);
  set(entering[me], 0);
  for (int i = 0; i < N; ++i) {
    if (i == me) continue;
    await(!get(entering[i]));
    const int ticket = get(number[i]);
    await(ticket == 0 || mine < ticket || (mine == ticket && me < i));
  }
  set(owner, me);
  assert(get(owner) == me);
  set(number[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) start(threads[i], process, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  return 0;
}
