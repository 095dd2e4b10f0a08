// The environment belongs to the process: getenv in one thread sees what setenv in another has done, and no run sees an earlier one's.
// CHECK: verdict=bug kind=abort line=@seen
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* changes(void* unused) {
  setenv("PLAIT_TEST_MODE", "1", 0);
  setenv("PLAIT_TEST_MODE", "2", 0);  // it has a value: no change
#ifndef FIXED
  unsetenv("PLAIT_TEST_MODE");
#endif
  return unused;
}

static void* looks(void* unused) {
  const char* mode = getenv("PLAIT_TEST_MODE");
#ifdef FIXED
  assert(!mode || !strcmp(mode, "1"));
#else
  if (mode) abort();  // @seen
#endif
  return unused;
}

int main() {
  assert(!getenv("PLAIT_TEST_MODE") && !getenv("PLAIT_TEST_LEFT"));  // nothing is left of earlier runs
  setenv("PLAIT_TEST_LEFT", "3", 1);
  pthread_t a, b;
  pthread_create(&a, NULL, looks, NULL);
  pthread_create(&b, NULL, changes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FIXED
  assert(!strcmp(getenv("PLAIT_TEST_MODE"), "1"));
  static char text[] = "PLAIT_TEST_MODE=4";
  putenv(text);
  assert(getenv("PLAIT_TEST_MODE") == text + 16);
  clearenv();
  assert(!getenv("PLAIT_TEST_MODE") && !getenv("PATH"));
#endif
  return 0;
}
