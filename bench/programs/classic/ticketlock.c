// A ticket lock, taken once by each of N threads.
#include "classic.h"

static atomic_int next_ticket, serving, owner;

static void* process(void* argument) {
  const int me = number_of(argument);
  const int ticket = atomic_fetch_add(&next_ticket, 1);
  await(get(serving) == ticket);
  set(owner, me);
  assert(get(owner) == me);
  set(serving, ticket + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) start(threads[i], process, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  return 0;
}
