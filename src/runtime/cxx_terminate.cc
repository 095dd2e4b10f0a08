// The only part of the runtime that needs C++'s own runtime: linked into C++ programs only, compiled with exceptions.
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

extern "C" {
[[noreturn]] void __plait_uncaught(const char* type, const char* what);
void __plait_install_terminate_handler();
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

void __plait_install_terminate_handler() { std::set_terminate(on_terminate); }
