// Two additions and a check that comes last only by luck. (SV-COMP: lazy01.)
#include "bugs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* add(void* by) {
  pthread_mutex_lock(&lock);
  data += (int)(intptr_t)by;
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void* check(void* unused) {
  pthread_mutex_lock(&lock);
  assert(data < 3);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start(add, 1);
  start(add, 2);
  start(check, 0);
  join_all();
}
