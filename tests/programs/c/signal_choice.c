// A signal may wake any waiter: both names must come out.
// CHECK: verdict=safe
// OUTCOMES: "1\n" "2\n"
#include <plait.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void* waiter(void* argument) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_wait(&condition, &mutex);
  if (!first) first = *(int*)argument;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  static int one = 1, two = 2;
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, &one);
  pthread_create(&b, NULL, waiter, &two);
  pthread_mutex_lock(&mutex);
  plait_assume(waiting == 2);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", first);
  return 0;
}
