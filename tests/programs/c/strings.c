// String functions are accesses: a reader may see half of a string that strcpy is writing.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char name[8] = "ab";

static void lock(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#else
  (void)mutex;
#endif
}

static void unlock(void) {
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void* other(void* unused) {
  lock();
  name[0] = 'x';
  strcpy(name + 1, "y");
  unlock();
  return unused;
}

int main(void) {
  pthread_t thread;
  char copy[8], words[] = "a bc", *rest;
  assert(!strcmp(strtok_r(words, " ", &rest), "a") && !strcmp(rest, "bc"));
  assert(!strcmp(strtok_r(NULL, " ", &rest), "bc") && *rest == 0);  // glibc leaves an empty rest, not a null pointer
  assert(!strtok_r(NULL, " ", &rest) && *rest == 0);
  pthread_create(&thread, NULL, other, NULL);
  lock();
  memcpy(copy, name, strlen(name) + 1);
  unlock();
  pthread_join(thread, NULL);
  assert(!strcmp(copy, "ab") || !strcmp(copy, "xy"));
  assert(strlen(name) == 2);
  return 0;
}
