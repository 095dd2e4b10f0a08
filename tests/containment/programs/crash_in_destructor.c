// Crashes when its thread ends.
// EXPECT: bug null-dereference
#include "terrible.h"

static pthread_key_t key;
static void again(void* p) {
  (void)p;
  *(volatile int*)nowhere = 1;
}

static void deed(void) {
  pthread_key_create(&key, again);
  pthread_setspecific(key, text);
}
