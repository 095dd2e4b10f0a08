// Four philosophers, each takes the left fork first.
// fix: the last one takes the right fork first.
// says: T4 holds fork_of[3]
// says: and waits for mutex fork_of[0]
// says: which T1 holds
#include <pthread.h>

#define N 4
pthread_mutex_t fork_of[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                              PTHREAD_MUTEX_INITIALIZER};
int meals[N];

static void* dine(void* seat) {
  const long left = (long)seat, right = (left + 1) % N;
  pthread_mutex_lock(&fork_of[left]);
  pthread_mutex_lock(&fork_of[right]);
  ++meals[left];
  pthread_mutex_unlock(&fork_of[right]);
  pthread_mutex_unlock(&fork_of[left]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, dine, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
}
