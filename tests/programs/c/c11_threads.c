// C11 <threads.h>: threads, mutexes, conditions, once, thread-specific storage.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int ready, initialised;

static void initialise(void) { initialised++; }

static int worker(void* argument) {
  call_once(&once, initialise);
  tss_set(slot, argument);
  mtx_lock(&mutex);
#ifdef FIXED
  while (!ready)
#endif
    cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  return tss_get(slot) == argument ? 42 : 0;
}

int main(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&slot, NULL) == thrd_success);
  thrd_t thread;
  int result = 0;
  assert(thrd_create(&thread, worker, &result) == thrd_success);
  call_once(&once, initialise);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  thrd_join(thread, &result);
  assert(result == 42 && initialised == 1 && tss_get(slot) == NULL);
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}
