// The members of std::thread that libstdc++ keeps out of its headers: they read and write the thread object, which is
// memory of the program.
#include <errno.h>
#include <pthread.h>

#include "runtime/call.h"
#include "runtime/result.h"

extern "C" void _ZSt20__throw_system_errori(int) __attribute__((weak));

namespace plait::runtime {
namespace {

/// The object is the handle of its thread, and 0 if it has none.
template <class End>
void end_handle(u64 object, End end) {
  const u32 site = peek_call_site();
  __plait_unknown = nullptr;  // perhaps called through a pointer to it, and still no stranger
  const u64 handle = load<u64>(object, Order::Plain, site);
  const int error = handle ? end(handle) : EINVAL;
  if (error) _ZSt20__throw_system_errori(error);
  store<u64>(object, 0, Order::Plain, site);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

void __plait__ZNSt6thread4joinEv(plait::u64 object) {
  end_handle(object, [](plait::u64 handle) { return pthread_join(handle, nullptr); });
}
void __plait__ZNSt6thread6detachEv(plait::u64 object) { end_handle(object, pthread_detach); }
}
