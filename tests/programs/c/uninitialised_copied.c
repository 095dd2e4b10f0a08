// What has no value is copied, which is fine, and given to another thread, which decides by it.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char set;
  int value;
  short unset;
};
static struct pair shared;
static int copy;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (shared.set == 1) {
#ifdef FIXED
    if (shared.value != 3) abort();
#else
    if (copy == 3) abort();  // @use
#endif
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  struct pair *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  first->set = 1;
#ifdef FIXED
  first->value = 3;
#endif
  memcpy(second, first, sizeof *second);
  first = realloc(first, 100);
  pthread_mutex_lock(&mutex);
  shared = *first;
  copy = second->value;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  free(first);
  free(second);
}
