// C11 threads.h. glibc implements it beside pthread, not on top of it, so each function needs a stand-in of its own.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

int to_c11(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  // An int result in place of a pointer: the ABI returns both in the same register.
  return to_c11(
      create_thread(thread, false, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(function)), argument));
}
int thrd_join(thrd_t thread, int* result) {
  const u32 site = peek_call_site();
  void* value = nullptr;
  const int error = join_thread(thread, result != nullptr, value);
  if (!error) give(result, static_cast<int>(reinterpret_cast<intptr_t>(value)), site);
  return to_c11(error);
}
int thrd_detach(thrd_t thread) { return to_c11(pthread_detach(thread)); }
thrd_t thrd_current() { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }
void thrd_yield() { sched_yield(); }
int thrd_sleep(const timespec* duration, timespec* remaining) { return nanosleep(duration, remaining); }

int mtx_init(mtx_t* mutex, int type) {
  __builtin_memset(mutex, 0, sizeof *mutex);
  posix(mutex)->__data.__kind = (type & mtx_recursive) ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  if (run.active) synchronise(mutex_operation(Op::MutexInit, posix(mutex)));
  return thrd_success;
}
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }
int mtx_lock(mtx_t* mutex) { return to_c11(pthread_mutex_lock(posix(mutex))); }
int mtx_trylock(mtx_t* mutex) { return to_c11(pthread_mutex_trylock(posix(mutex))); }
int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  return to_c11(pthread_mutex_timedlock(posix(mutex), deadline));
}
int mtx_unlock(mtx_t* mutex) { return to_c11(pthread_mutex_unlock(posix(mutex))); }

int cnd_init(cnd_t* condition) { return to_c11(pthread_cond_init(posix(condition), nullptr)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }
int cnd_signal(cnd_t* condition) { return to_c11(pthread_cond_signal(posix(condition))); }
int cnd_broadcast(cnd_t* condition) { return to_c11(pthread_cond_broadcast(posix(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) { return to_c11(wait_on(posix(condition), posix(mutex), nullptr)); }
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return to_c11(wait_on(posix(condition), posix(mutex), deadline));
}

int tss_create(tss_t* key, tss_dtor_t destructor) { return to_c11(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return to_c11(pthread_setspecific(key, value)); }
void call_once(once_flag* flag, void (*function)()) { pthread_once(reinterpret_cast<pthread_once_t*>(flag), function); }
}
