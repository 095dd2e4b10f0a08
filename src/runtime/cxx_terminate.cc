// The parts of the runtime that need C++'s own runtime, this file and cxx_streams.cc: linked into C++ programs only,
// compiled with exceptions.
#include <cxxabi.h>

#include <exception>
#include <locale>
#include <new>
#include <typeinfo>

extern "C" {
[[noreturn]] void __plait_uncaught(const char* type, const char* what);
void __plait_install_terminate_handler();
void (*__plait_new_handler())();
void __plait_restore_cxx_state(void (*new_handler)(), int locale_changed);
void __plait_call_or_undo(void (*routine)(), void (*undo)(void*), void* argument);
void __plait_warm_streams();
}

static void on_terminate() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) __plait_uncaught(nullptr, nullptr);
  try {
    throw;
  } catch (const std::exception& error) {
    __plait_uncaught(type->name(), error.what());
  } catch (...) {
    __plait_uncaught(type->name(), nullptr);
  }
}

void __plait_install_terminate_handler() {
  std::set_terminate(on_terminate);
  __plait_warm_streams();
}

// Each run begins with the handlers and the locale of the first one. What that was the other half knows: data of this
// file is the program's.
void (*__plait_new_handler())() { return std::get_new_handler(); }
void __plait_restore_cxx_state(void (*new_handler)(), int locale_changed) {
  std::set_terminate(on_terminate);
  std::set_new_handler(new_handler);
  if (locale_changed) std::locale::global(std::locale::classic());
}

// A clean-up, not a handler: an exception that nobody catches ends the program where it was thrown.
void __plait_call_or_undo(void (*routine)(), void (*undo)(void*), void* argument) {
  struct Undo {
    void (*function)(void*);
    void* argument;
    ~Undo() {
      if (function) function(argument);
    }
  } guard{undo, argument};
  routine();
  guard.function = nullptr;
}
