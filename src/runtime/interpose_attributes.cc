// Attribute objects. libc's functions work on a private copy; what they read and write of the program's object is an
// access.
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "runtime/failure.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

/// A private copy of an object of the program, stored back where the call has changed it.
template <class T>
class Borrowed {
 public:
  Borrowed(T* object, bool fresh) : object_(object) {
    if (fresh)
      __builtin_memset(&copy_, 0, sizeof copy_);
    else
      copy_ = take(static_cast<const T*>(object), site_);
    before_ = copy_;
    fresh_ = fresh;
  }
  Borrowed(const T* object, bool fresh) : Borrowed(const_cast<T*>(object), fresh) {}
  ~Borrowed() {
    if (fresh_ || __builtin_memcmp(&before_, &copy_, sizeof copy_) != 0) give(object_, copy_, site_);
  }
  T* get() { return &copy_; }
  u32 site() const { return site_; }

 private:
  const u32 site_ = take_call_site();
  T* const object_;
  T copy_, before_;
  bool fresh_;
};

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

// PLAIT_SET(type, function, argument type), PLAIT_GET(type, function, result type); each stands for one function of
// pthread.h.
#define PLAIT_INIT(Type, name)               \
  int name(Type* object) noexcept {          \
    Borrowed<Type> borrowed(object, true);   \
    return PLAIT_REAL(name)(borrowed.get()); \
  }
#define PLAIT_DESTROY(Type, name)            \
  int name(Type* object) noexcept {          \
    Borrowed<Type> borrowed(object, false);  \
    return PLAIT_REAL(name)(borrowed.get()); \
  }
#define PLAIT_SET(Type, name, Value)                \
  int name(Type* object, Value value) noexcept {    \
    Borrowed<Type> borrowed(object, false);         \
    return PLAIT_REAL(name)(borrowed.get(), value); \
  }
#define PLAIT_GET(Type, name, Value)                            \
  int name(const Type* object, Value* result) noexcept {        \
    Borrowed<Type> borrowed(object, false);                     \
    Value value = {};                                           \
    const int error = PLAIT_REAL(name)(borrowed.get(), &value); \
    if (!error) give(result, value, borrowed.site());           \
    return error;                                               \
  }

extern "C" {

PLAIT_INIT(pthread_attr_t, pthread_attr_init)
PLAIT_DESTROY(pthread_attr_t, pthread_attr_destroy)
PLAIT_SET(pthread_attr_t, pthread_attr_setdetachstate, int)
PLAIT_GET(pthread_attr_t, pthread_attr_getdetachstate, int)
PLAIT_SET(pthread_attr_t, pthread_attr_setguardsize, size_t)
PLAIT_GET(pthread_attr_t, pthread_attr_getguardsize, size_t)
PLAIT_SET(pthread_attr_t, pthread_attr_setinheritsched, int)
PLAIT_GET(pthread_attr_t, pthread_attr_getinheritsched, int)
PLAIT_SET(pthread_attr_t, pthread_attr_setschedpolicy, int)
PLAIT_GET(pthread_attr_t, pthread_attr_getschedpolicy, int)
PLAIT_SET(pthread_attr_t, pthread_attr_setscope, int)
PLAIT_GET(pthread_attr_t, pthread_attr_getscope, int)
PLAIT_SET(pthread_attr_t, pthread_attr_setstackaddr, void*)
PLAIT_GET(pthread_attr_t, pthread_attr_getstackaddr, void*)
PLAIT_SET(pthread_attr_t, pthread_attr_setstacksize, size_t)
PLAIT_GET(pthread_attr_t, pthread_attr_getstacksize, size_t)
PLAIT_GET(pthread_attr_t, pthread_attr_getschedparam, sched_param)
int pthread_attr_setschedparam(pthread_attr_t* object, const sched_param* parameters) noexcept {
  Borrowed<pthread_attr_t> borrowed(object, false);
  const sched_param value = take(parameters, borrowed.site());
  return PLAIT_REAL(pthread_attr_setschedparam)(borrowed.get(), &value);
}
int pthread_attr_setstack(pthread_attr_t* object, void* stack, size_t size) noexcept {
  Borrowed<pthread_attr_t> borrowed(object, false);
  return PLAIT_REAL(pthread_attr_setstack)(borrowed.get(), stack, size);
}
int pthread_attr_getstack(const pthread_attr_t* object, void** stack, size_t* size) noexcept {
  Borrowed<pthread_attr_t> borrowed(object, false);
  void* address = nullptr;
  size_t bytes = 0;
  const int error = PLAIT_REAL(pthread_attr_getstack)(borrowed.get(), &address, &bytes);
  if (error) return error;
  give(stack, address, borrowed.site());
  give(size, bytes, borrowed.site());
  return 0;
}
int pthread_attr_setaffinity_np(pthread_attr_t* object, size_t size, const cpu_set_t* processors) noexcept {
  Borrowed<pthread_attr_t> borrowed(object, false);
  cpu_set_t value;
  CPU_ZERO(&value);
  if (size > sizeof value) size = sizeof value;
  load_range(reinterpret_cast<char*>(&value), reinterpret_cast<u64>(processors), size, borrowed.site());
  return PLAIT_REAL(pthread_attr_setaffinity_np)(borrowed.get(), size, &value);
}
int pthread_attr_getaffinity_np(const pthread_attr_t* object, size_t size, cpu_set_t* processors) noexcept {
  Borrowed<pthread_attr_t> borrowed(object, false);
  cpu_set_t value;
  CPU_ZERO(&value);
  const size_t known = size < sizeof value ? size : sizeof value;
  const int error = PLAIT_REAL(pthread_attr_getaffinity_np)(borrowed.get(), known, &value);
  if (error) return error;
  store_range(reinterpret_cast<u64>(processors), reinterpret_cast<const char*>(&value), known, borrowed.site());
  if (size > known) fill(reinterpret_cast<u64>(processors) + known, 0, size - known, borrowed.site());
  return 0;
}
int pthread_attr_setsigmask_np(pthread_attr_t*, const sigset_t*) { unsupported("pthread_attr_setsigmask_np"); }
int pthread_attr_getsigmask_np(const pthread_attr_t*, sigset_t*) { unsupported("pthread_attr_getsigmask_np"); }
int pthread_getattr_default_np(pthread_attr_t* attributes) noexcept {
  Borrowed<pthread_attr_t> borrowed(attributes, true);
  return PLAIT_REAL(pthread_getattr_default_np)(borrowed.get());
}
int pthread_setattr_default_np(const pthread_attr_t*) noexcept { unsupported("pthread_setattr_default_np"); }

PLAIT_INIT(pthread_mutexattr_t, pthread_mutexattr_init)
PLAIT_DESTROY(pthread_mutexattr_t, pthread_mutexattr_destroy)
PLAIT_SET(pthread_mutexattr_t, pthread_mutexattr_setpshared, int)
PLAIT_GET(pthread_mutexattr_t, pthread_mutexattr_getpshared, int)
PLAIT_SET(pthread_mutexattr_t, pthread_mutexattr_settype, int)
PLAIT_GET(pthread_mutexattr_t, pthread_mutexattr_gettype, int)
PLAIT_SET(pthread_mutexattr_t, pthread_mutexattr_setprotocol, int)
PLAIT_GET(pthread_mutexattr_t, pthread_mutexattr_getprotocol, int)
PLAIT_SET(pthread_mutexattr_t, pthread_mutexattr_setprioceiling, int)
PLAIT_GET(pthread_mutexattr_t, pthread_mutexattr_getprioceiling, int)
PLAIT_SET(pthread_mutexattr_t, pthread_mutexattr_setrobust, int)
PLAIT_GET(pthread_mutexattr_t, pthread_mutexattr_getrobust, int)

PLAIT_INIT(pthread_rwlockattr_t, pthread_rwlockattr_init)
PLAIT_DESTROY(pthread_rwlockattr_t, pthread_rwlockattr_destroy)
PLAIT_SET(pthread_rwlockattr_t, pthread_rwlockattr_setpshared, int)
PLAIT_GET(pthread_rwlockattr_t, pthread_rwlockattr_getpshared, int)
PLAIT_SET(pthread_rwlockattr_t, pthread_rwlockattr_setkind_np, int)
PLAIT_GET(pthread_rwlockattr_t, pthread_rwlockattr_getkind_np, int)

PLAIT_INIT(pthread_condattr_t, pthread_condattr_init)
PLAIT_DESTROY(pthread_condattr_t, pthread_condattr_destroy)
PLAIT_SET(pthread_condattr_t, pthread_condattr_setpshared, int)
PLAIT_GET(pthread_condattr_t, pthread_condattr_getpshared, int)
PLAIT_SET(pthread_condattr_t, pthread_condattr_setclock, clockid_t)
PLAIT_GET(pthread_condattr_t, pthread_condattr_getclock, clockid_t)

PLAIT_INIT(pthread_barrierattr_t, pthread_barrierattr_init)
PLAIT_DESTROY(pthread_barrierattr_t, pthread_barrierattr_destroy)
PLAIT_SET(pthread_barrierattr_t, pthread_barrierattr_setpshared, int)
PLAIT_GET(pthread_barrierattr_t, pthread_barrierattr_getpshared, int)

int pthread_mutex_getprioceiling(const pthread_mutex_t*, int*) noexcept {
  return EINVAL;
}  // no mutex of ours has a ceiling
int pthread_mutex_setprioceiling(pthread_mutex_t*, int, int*) noexcept { return EINVAL; }
}
