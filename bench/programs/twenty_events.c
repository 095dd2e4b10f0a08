// Two threads with ten operations each on the same variable: what bench/protocol_bench.cc runs natively.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* step(void* unused) {
  for (int i = 0; i < 10; ++i) atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, step, NULL);
  pthread_create(&b, NULL, step, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
