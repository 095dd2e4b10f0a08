// A detached thread that tells when it is done; main leaves last with pthread_exit, so nobody is cut off.
// CHECK: verdict=safe
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t done;

static void* worker(void* unused) {
  pthread_detach(pthread_self());
  sem_post(&done);
  return unused;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL)) return 1;
  sem_wait(&done);
  pthread_exit(NULL);
}
