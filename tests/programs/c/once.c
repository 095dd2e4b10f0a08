// pthread_once runs its function once and makes the others wait; a hand-made flag does not.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int started, calls;

static void initialise(void) { calls++; }

static void ensure(void) {
#ifdef FIXED
  pthread_once(&once, initialise);
#else
  (void)once;
  if (!started) {
    started = 1;
    initialise();
  }
#endif
  assert(calls == 1);  // @assert
}

static void* other(void* unused) {
  ensure();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  ensure();
  pthread_join(thread, NULL);
  return started > 1;
}
