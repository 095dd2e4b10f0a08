// Airline: benchmarks 1.3. N tickets; FIXED sells under a lock.
#include "start.h"
#ifndef N
#define N 3
#endif

static shared_int sold, stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { kCap = N - (N / 10 > 1 ? N / 10 : 1) };

static void* seller(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (sold >= kCap)
    stop = 1;
  else
    sold = sold + 1;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int forked = 0;
  for (int i = 0; i < N; ++i)
    if (!stop) pthread_create(&threads[forked++], NULL, seller, NULL);
  for (int i = 0; i < forked; ++i) pthread_join(threads[i], NULL);
  const int final = sold;
  property(final <= kCap);  // not too many
  return final > N;
}
