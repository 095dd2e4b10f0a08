// The working directory belongs to the process.
// CHECK: verdict=bug kind=abort line=@seen
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* changes(void* unused) {
  if (chdir("/usr") != 0) return NULL;
  return unused;
}

static void* looks(void* unused) {
  char path[512];
#ifdef FIXED
  char* other = getcwd(NULL, 0);
  assert(other && strlen(other) > 0);
  free(other);
  assert(!getcwd(path, 1));
#else
  if (getcwd(path, sizeof path) && !strcmp(path, "/usr")) abort();  // @seen
#endif
  return unused;
}

int main() {
  char path[512];
  assert(getcwd(path, sizeof path) && strcmp(path, "/usr") && strcmp(path, "/"));
  pthread_t a, b;
  pthread_create(&a, NULL, looks, NULL);
  pthread_create(&b, NULL, changes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(getcwd(path, sizeof path) && !strcmp(path, "/usr"));
  return chdir("/");
}
