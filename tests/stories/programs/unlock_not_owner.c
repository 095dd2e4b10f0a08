// The helper unlocks a mutex that main has locked.
// fix: the thread that locks unlocks.
// says: main waits for mutex job.done
// says: which it holds itself
#include <pthread.h>

struct Job {
  int number;
  pthread_mutex_t done;
} job = {1, PTHREAD_MUTEX_INITIALIZER};

static void* help(void* unused) {
  pthread_mutex_unlock(&job.done);
  return unused;
}

int main(void) {
  pthread_t helper;
  pthread_mutex_lock(&job.done);
  pthread_create(&helper, 0, help, 0);
  pthread_mutex_lock(&job.done);
  pthread_join(helper, 0);
}
