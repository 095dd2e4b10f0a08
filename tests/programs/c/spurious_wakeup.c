// A wait without a loop trusts every wake-up; with --spurious-wakeups some come without a signal.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// OPTIONS: --spurious-wakeups
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  // A loop, as it should be, but for the checker's sake not one that spurious wake-ups could keep going for ever.
  for (int turns = 0; !ready; ++turns) {
    plait_assume(turns < 2);
    pthread_cond_wait(&changed, &mutex);
  }
#else
  if (!ready) pthread_cond_wait(&changed, &mutex);
#endif
  assert(ready);  // @assert
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
