// An exception travels to another thread.
// CHECK: verdict=safe
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::exception_ptr failure;
std::mutex mutex;

void work(int id) {
  try {
    throw std::runtime_error("worker " + std::to_string(id));
  } catch (...) {
    std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
  }
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  std::string what;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    what = error.what();
  }
  assert(what == "worker 1" || what == "worker 2");
}
