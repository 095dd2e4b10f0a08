#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/program_exit.h"
#include "runtime/scheduler.h"

// In the C++ half of the runtime (cxx_terminate.cc), which is linked only into C++ programs.
extern "C" void __plait_install_terminate_handler() __attribute__((weak));

namespace plait::runtime {
namespace {

struct ExitHandler {
  void (*function)(void*);
  void* argument;
};
constexpr unsigned kMaxHandlers = 4096;
ExitHandler handlers[kMaxHandlers];
unsigned handler_count = 0;
unsigned handlers_before_main = 0;
bool counted = false;
ExitHandler saved[kMaxHandlers];

int add_handler(void (*function)(void*), void* argument) {
  if (handler_count == kMaxHandlers) {
    if (run.active) fail({.kind = FailureKind::OutOfResources}, "more than %u exit handlers", kMaxHandlers);
    return -1;
  }
  // Their order is something that threads share.
  const ExitHandler handler = {function, argument};
  change(Ghost::ExitHandlers, hash_of(&handler, sizeof handler));
  handlers[handler_count++] = handler;
  return 0;
}

[[noreturn]] void exit_with_handlers(int code, u32 site) {
  run_thread_exits(*run.current);
  for (;;) {
    change(Ghost::ExitHandlers, 0);  // others may still register some
    if (handler_count == 0) break;
    const ExitHandler handler = handlers[--handler_count];
    handler.function(handler.argument);
  }
  exit_program(code, site);
}

}  // namespace

void end_without_main() {
  if (handler_count == 0) return;
  // Which thread is the last one is no part of any history: what it does now can only be run, not predicted.
  run.unpredictable = true;
  run.init_phase = true;
  while (handler_count > 0) {
    const ExitHandler handler = handlers[--handler_count];
    handler.function(handler.argument);
  }
}

void leave_main(int code) { exit_with_handlers(code, take_call_site()); }

void reset_program_exit() {
  if (!counted) {
    counted = true;
    handlers_before_main = handler_count;
    for (unsigned i = 0; i < handler_count; ++i) saved[i] = handlers[i];
  }
  handler_count = handlers_before_main;
  for (unsigned i = 0; i < handler_count; ++i) handlers[i] = saved[i];
}

void install_terminate_handler() {
  if (__plait_install_terminate_handler) __plait_install_terminate_handler();
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void* library) {
  // Handlers of libraries belong to the process, not to a run.
  if (!in_image(reinterpret_cast<u64>(function))) return PLAIT_REAL(__cxa_atexit)(function, argument, library);
  return add_handler(function, argument);
}

int atexit(void (*function)()) { return add_handler(reinterpret_cast<void (*)(void*)>(function), nullptr); }

int plait_at_quick_exit(void (*)()) asm("at_quick_exit");  // the header declares it twice
int plait_at_quick_exit(void (*)()) { unsupported("at_quick_exit"); }
int on_exit(void (*)(int, void*), void*) { unsupported("on_exit"); }

void exit(int code) {
  if (!run.active) {
    PLAIT_REAL(exit)(code);
    __builtin_unreachable();
  }
  exit_with_handlers(code, take_call_site());
}

void _exit(int code) {
  if (run.active) exit_program(code, take_call_site());
  PLAIT_REAL(_exit)(code);
  __builtin_unreachable();
}
void _Exit(int code) { _exit(code); }
void quick_exit(int code) { _exit(code); }

void abort() {
  if (run.active) fail({.kind = FailureKind::Abort, .site = take_call_site()}, "abort() was called");
  PLAIT_REAL(abort)();
  __builtin_unreachable();
}

void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (run.active) fail({.kind = FailureKind::Assertion, .site = take_call_site()}, "assertion failed: %s", expression);
  PLAIT_REAL(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

void __plait_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  __assert_fail(expression, file, line, function);
}

// libstdc++'s own assertions (-D_GLIBCXX_ASSERTIONS).
void plait_glibcxx_assert_fail(const char* file, int line, const char* function,
                               const char* condition) asm("_ZSt21__glibcxx_assert_failPKciS0_S0_");
void plait_glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition) {
  __assert_fail(condition, file, static_cast<unsigned>(line), function);
}
}

extern "C" [[noreturn]] void __plait_uncaught(const char* type, const char* what) {
  if (!run.active) {
    PLAIT_REAL(abort)();
    __builtin_unreachable();
  }
  const u32 site = take_call_site();
  if (!type) fail({.kind = FailureKind::Abort, .site = site}, "std::terminate() was called");
  if (what)
    fail({.kind = FailureKind::Exception, .site = site}, "uncaught exception of type %.60s: %.120s", type, what);
  fail({.kind = FailureKind::Exception, .site = site}, "uncaught exception of type %.160s", type);
}
