// Threads that look at `environ` themselves see changes, too.
// CHECK: verdict=bug kind=assertion line=@seen
// EXPLORERS: all
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* changes(void* unused) {
  pthread_mutex_lock(&lock);
  setenv("PLAIT_TEST_MODE", "1", 1);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* looks(void* unused) {
  pthread_mutex_lock(&lock);
  for (char** entry = environ; *entry; ++entry) assert(strncmp(*entry, "PLAIT_TEST_MODE=", 16));  // @seen
  pthread_mutex_unlock(&lock);
  return unused;
}

int main() {
  static char* own[] = {"A=1", NULL};
  environ = own;
  setenv("PLAIT_TEST_OTHER", "1", 1);
  assert(!strcmp(getenv("A"), "1"));
  pthread_t a, b;
  pthread_create(&a, NULL, looks, NULL);
  pthread_create(&b, NULL, changes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
