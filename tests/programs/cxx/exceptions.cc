// Exceptions: caught in the thread that throws, carried over by std::exception_ptr and through a future.
// CHECK: verdict=safe
// OUTCOMES: "one two"
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

std::exception_ptr carried;

int main() {
  std::string local;
  std::thread other([&] {
    try {
      throw std::runtime_error("one");
    } catch (const std::exception& error) {
      local = error.what();
    }
    try {
      throw std::logic_error("two");
    } catch (...) {
      carried = std::current_exception();
    }
  });
  try {
    throw 3;  // at the same time, in this thread
  } catch (int) {
  }
  other.join();
  try {
    std::rethrow_exception(carried);
  } catch (const std::logic_error& error) {
    std::printf("%s %s", local.c_str(), error.what());
  }
}
