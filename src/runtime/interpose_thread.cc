// pthread: create, join, exit, self, once, cleanup handlers; thread_local destructors. Keys, names, scheduling:
// interpose_thread_state.cc.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/labels.h"
#include "runtime/process.h"
#include "runtime/result.h"
#include "runtime/thread_state.h"

// In the C++ half of the runtime (cxx_terminate.cc), which is linked only into C++ programs.
extern "C" void __plait_call_or_undo(void (*routine)(), void (*undo)(void*), void* argument) __attribute__((weak));

namespace plait::runtime {

namespace {

constexpr u64 kJoined = 1, kDetached = 2;

/// libstdc++ starts std::thread's functions by one of its own, which nobody follows: it calls the state's _M_run, then
/// its destructor. Where inputs are followed that happens here, so that they are followed into thread and arguments.
bool starts_standard_thread(const Fiber& fiber) {
  const u64 routine = reinterpret_cast<u64>(fiber.routine);
  return follows_inputs() && routine >= process.standard_begin && routine < process.standard_end;
}
void run_standard_thread(void* state) {
  using Member = void (*)(void*);
  const Member* const members = *static_cast<const Member* const*>(state);
  for (int which = 2; which > 0; --which) {  // in front of them stands the destructor that does not free
    announce_call(reinterpret_cast<const void*>(members[which]));
    members[which](state);
  }
}

void thread_entry(void* argument) {
  Fiber& fiber = *static_cast<Fiber*>(argument);
  record_free(Op::Begin, fiber.id, 0, fiber.fork_site);
  if (starts_standard_thread(fiber)) {
    run_standard_thread(fiber.argument);
    finish_thread(nullptr);
  }
  announce_call(reinterpret_cast<const void*>(fiber.routine));
  finish_thread(fiber.routine(fiber.argument));
}

bool belongs_to_library(const void* object) {
  const u64 address = reinterpret_cast<u64>(object);
  return !in_image(address) && !in_zone(address);
}

_Unwind_Reason_Code stop_unwinding(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                   _Unwind_Context*, void* result) {
  if (actions & _UA_END_OF_STACK) finish_thread(result);
  return _URC_NO_REASON;
}

void push_cleanup(Fiber& fiber, void* cleanup) {
  if (fiber.cleanup_count == kMaxCleanups) unsupported("more than 32 nested pthread_cleanup_push");
  fiber.cleanup[fiber.cleanup_count++] = cleanup;
}

/// Among the clean-ups: the thread is inside of pthread_once. Who leaves it by pthread_exit leaves it undone.
constexpr u64 kOnceMark = 1;
void* once_cleanup(pthread_once_t* once) { return reinterpret_cast<void*>(reinterpret_cast<u64>(once) | kOnceMark); }

void leave_once(u64 location, u64 done, u32 site) {
  synchronise({.op = Op::OnceLeave, .site = site, .location = location, .operand = done});
}

/// Runs what pthread_cleanup_push left behind (C), then the destructors of the frames (C++), then ends the thread.
[[noreturn]] void unwind_thread(Fiber& fiber) {
  while (fiber.cleanup_count > 0) {
    const u64 cleanup = reinterpret_cast<u64>(fiber.cleanup[--fiber.cleanup_count]);
    if (cleanup & kOnceMark) {
      leave_once(cleanup & ~kOnceMark, 0, kNoSite);
      continue;
    }
    auto* buffer = reinterpret_cast<__pthread_unwind_buf_t*>(cleanup);
    // The frame's own code runs the handler and then calls __pthread_unwind_next.
    siglongjmp(*reinterpret_cast<sigjmp_buf*>(buffer->__cancel_jmp_buf), 1);
  }
  static _Unwind_Exception exceptions[kMaxThreads];
  using ForcedUnwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, _Unwind_Stop_Fn, void*);
  static ForcedUnwind forced_unwind = nullptr;
  if (!forced_unwind) {
    void* library = PLAIT_REAL(dlopen)("libgcc_s.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library) forced_unwind = reinterpret_cast<ForcedUnwind>(dlsym(library, "_Unwind_ForcedUnwind"));
  }
  _Unwind_Exception& exception = exceptions[fiber.id];
  __builtin_memset(&exception, 0, sizeof exception);
  if (forced_unwind) forced_unwind(&exception, stop_unwinding, fiber.result);
  finish_thread(fiber.result);
}

}  // namespace

void run_thread_exits(Fiber& fiber) {
  while (fiber.exit_count > 0) {
    const ThreadExit exit = fiber.exits[--fiber.exit_count];
    exit.function(exit.object);
  }
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (u32 i = 0; i < fiber.keys_used; ++i) {
      auto* value = const_cast<void*>(fiber.keys[i].value);
      if (!value) continue;
      const Key key = look_at_key(i);
      if (!key.used || key.generation != fiber.keys[i].generation || !key.destructor) continue;
      fiber.keys[i].value = nullptr;
      key.destructor(value);
      again = true;
    }
    if (!again) break;
  }
}

int create_thread(pthread_t* handle, bool detached, void* (*routine)(void*), void* argument) {
  if (!run.active) die("the program starts a thread before main: that is not supported");
  Fiber& parent = *run.current;
  const u32 site = take_call_site();
  begin_operation();
  if (run.init_phase) {
    end_init_phase();
    // What main did alone is in no trace, but an atomic section that it is in begins to matter here.
    if (run.atomic_owner == parent.id) await_turn({.op = Op::AtomicBegin, .site = site}), begin_operation();
  }
  run.forked = true;
  look_at_state(parent);
  await_drained(site);
  const ThreadId id = identity_of(parent.id, parent.forks);
  await_free({.op = Op::Fork, .site = site, .location = id});
  ++parent.forks;
  Fiber& child = fibers[id];
  start_fiber(child, id, thread_entry);
  inherit_state(parent, child);
  child.routine = routine;
  child.argument = argument;
  child.detached = child.born_detached = detached;
  child.fork_site = site;
  child.clock = parent.clock;
  Event& event = record_awaited(process.session->clock_matters ? child.clock : 0);
  event.operand = reinterpret_cast<u64>(routine);
  event.extra = reinterpret_cast<u64>(argument);
  run_silently(child);
  // Behind the fork: nobody promises that the new thread finds its handle there.
  give(handle, pthread_t{handle_of(child)}, site);
  return 0;
}

namespace {

[[noreturn]] void fail_claimed(const Fiber& child, u32 site) {
  fail({.kind = FailureKind::LockMisuse, .site = site}, "T%u joins or detaches T%u, which is detached or was joined",
       run.current->id, child.id);
}

/// A thread is joined or detached once, by whoever comes first. After that its handle may stand for nothing.
void claim(const Fiber& child, u64 how, u32 site) {
  if (child.born_detached || change(Ghost::ThreadClaim, how, child.id) != 0) fail_claimed(child, site);
}

/// POSIX leaves it undefined; glibc crashes.
Fiber& thread_of(pthread_t handle) {
  Fiber* child = fiber_of_handle(handle);
  if (!child)
    fail({.kind = FailureKind::LockMisuse, .site = peek_call_site()},
         "T%u joins or detaches something that is no thread", run.current->id);
  return *child;
}

bool is_claimed(const Fiber& child) { return child.born_detached || look_at(Ghost::ThreadClaim, child.id) != 0; }

}  // namespace

int join_thread(pthread_t handle, bool wants_result, void*& result) {
  Fiber& child = thread_of(handle);
  if (&child == run.current) return EDEADLK;
  claim(child, kJoined, peek_call_site());
  const u32 site = take_call_site();
  begin_operation();
  result = join(child, wants_result, site);
  child.joined = true;
  if (process.session->clock_matters) {  // it is not earlier than the child's end
    const u64 ended = look_at(Ghost::ThreadEnd, child.id) - 1;
    if (run.current->clock < ended) run.current->clock = ended;
  }
  return 0;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) {
    const pthread_attr_t wanted = take(attributes);
    PLAIT_REAL(pthread_attr_getdetachstate)(&wanted, &state);
  }
  return create_thread(handle, state == PTHREAD_CREATE_DETACHED, routine, argument);
}

int pthread_join(pthread_t handle, void** result) {
  const u32 site = peek_call_site();
  void* value = nullptr;
  const int error = join_thread(handle, result != nullptr, value);
  if (!error) give(result, value, site);
  return error;
}

int pthread_tryjoin_np(pthread_t handle, void** result) {
  Fiber& child = thread_of(handle);
  if (&child == run.current) return EDEADLK;
  if (is_claimed(child)) fail_claimed(child, peek_call_site());
  // Having said so, a thread does nothing more that others could see: the join does not wait.
  if (!look_at(Ghost::ThreadEnd, child.id)) return EBUSY;
  return pthread_join(handle, result);
}
int pthread_timedjoin_np(pthread_t, void**, const timespec*) { unsupported("pthread_timedjoin_np"); }
int pthread_clockjoin_np(pthread_t, void**, clockid_t, const timespec*) { unsupported("pthread_clockjoin_np"); }

int pthread_detach(pthread_t handle) {
  Fiber& child = thread_of(handle);
  claim(child, kDetached, take_call_site());
  child.detached = true;
  return 0;
}

pthread_t pthread_self() noexcept { return run.active ? handle_of(*run.current) : slice(0) + kParkedOffset - kPage; }

int pthread_equal(pthread_t a, pthread_t b) noexcept { return a == b; }

void pthread_exit(void* result) {
  if (!run.active) die("pthread_exit outside of a thread");
  run.current->result = result;
  unwind_thread(*run.current);
}

void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) { push_cleanup(*run.current, buffer); }
void __pthread_unregister_cancel(__pthread_unwind_buf_t*) {
  if (run.current->cleanup_count > 0) --run.current->cleanup_count;
}
void __pthread_unwind_next(__pthread_unwind_buf_t*) { unwind_thread(*run.current); }

int pthread_cancel(pthread_t) { unsupported("pthread_cancel"); }
int pthread_setcancelstate(int state, int* old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  const int before = run.current->cancel_state;
  run.current->cancel_state = static_cast<u8>(state);
  give(old, before, take_call_site());
  return 0;
}
int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  const int before = run.current->cancel_type;
  run.current->cancel_type = static_cast<u8>(type);
  give(old, before, take_call_site());
  return 0;
}
void pthread_testcancel() {}
int pthread_kill(pthread_t handle, int signal) {
  if (signal == 0) return fiber_of_handle(handle) ? 0 : ESRCH;
  unsupported("pthread_kill");
}
int pthread_atfork(void (*)(), void (*)(), void (*)()) noexcept { return 0; }
int __register_atfork(void (*)(), void (*)(), void (*)(), void*) { return 0; }

int pthread_once(pthread_once_t* once, void (*routine)()) {
  // A library's own once is not reset between runs, and neither is what it initialised.
  if (!run.active || belongs_to_library(once)) return PLAIT_REAL(pthread_once)(once, routine);
  const u64 location = reinterpret_cast<u64>(once);
  const u32 site = take_call_site();
  if (synchronise({.op = Op::OnceEnter, .site = site, .location = location}).value == 0) return 0;
  // An exception, or the end of the thread, leaves it undone, and the next one tries again.
  const auto undo = [](void* object) { leave_once(reinterpret_cast<u64>(object), 0, kNoSite); };
  announce_call(reinterpret_cast<const void*>(routine));
  if (__plait_call_or_undo) {
    __plait_call_or_undo(routine, undo, once);
  } else {
    push_cleanup(*run.current, once_cleanup(once));
    routine();
    --run.current->cleanup_count;
  }
  leave_once(location, 1, site);
  return 0;
}

// Function-local statics. Compiled code tests the first byte itself before it calls us.
int __cxa_guard_acquire(u64* guard) {
  if (!run.active || belongs_to_library(guard)) {
    if (*reinterpret_cast<u8*>(guard)) return 0;
    return 1;
  }
  if (*reinterpret_cast<u8*>(guard)) return 0;
  const u64 location = reinterpret_cast<u64>(guard) + 1;
  return static_cast<int>(synchronise({.op = Op::OnceEnter, .site = take_call_site(), .location = location}).value);
}
void __plait_atomic_store1(void*, u8, int, const Site*);
void __cxa_guard_release(u64* guard) {
  if (!run.active || belongs_to_library(guard)) {
    *reinterpret_cast<u8*>(guard) = 1;
    return;
  }
  __plait_atomic_store1(guard, 1, static_cast<int>(Order::Release), nullptr);
  leave_once(reinterpret_cast<u64>(guard) + 1, 1, kNoSite);
}
void __cxa_guard_abort(u64* guard) {
  if (!run.active || belongs_to_library(guard)) return;
  leave_once(reinterpret_cast<u64>(guard) + 1, 0, kNoSite);
}

int __cxa_thread_atexit(void (*function)(void*), void* object, void*) {
  Fiber& fiber = *run.current;
  if (!run.active) {
    return 0;  // a thread_local of main's thread, initialised before main: lives as long as the process
  }
  if (fiber.exit_count == kMaxThreadExits)
    unsupported("more than 64 thread_local objects with destructors in one thread");
  fiber.exits[fiber.exit_count++] = {function, object};
  return 0;
}
int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library) {
  return __cxa_thread_atexit(function, object, library);
}
}
