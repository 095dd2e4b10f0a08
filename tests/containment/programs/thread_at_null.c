// A thread without a function.
// EXPECT: bug null-dereference
#include "terrible.h"

static void deed(void) {
  pthread_t t;
  pthread_create(&t, 0, (void* (*)(void*))nowhere, 0);
  pthread_join(t, 0);
}
