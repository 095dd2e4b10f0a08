// main and two threads, 23 events, 252252 interleavings: what one execution costs under `exhaustive`.
#include <pthread.h>

static int x, y;

static void* worker(void* unused) {
  x = x + 1;
  y = y + 1;
  x = 7;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  x = x + 1;
  y = y + 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
