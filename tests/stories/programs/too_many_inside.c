// A semaphore that lets two into a room for one.
// fix: sem_init(&room, 0, 1).
// says: inside = 2
// says: (was uninitialised)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t room;
static int inside;
static char* paper;

static void* print(void* arg) {
  sem_wait(&room);
  inside++;
  if (paper == NULL) paper = malloc(8);
  *paper = *(char*)arg;
  assert(inside == 1);
  inside--;
  sem_post(&room);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  char letters[2] = {'a', 'b'};
  sem_init(&room, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, print, &letters[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  free(paper);
  return 0;
}
