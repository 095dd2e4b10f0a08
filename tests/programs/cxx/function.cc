// std::function callbacks handed to another thread. Faulty: the callback may be replaced while it is called.
// CHECK: verdict=bug
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

std::mutex mutex;
std::function<int()> callback = [] { return 1; };

int call() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  return callback ? callback() : 2;
}

int main() {
  std::thread other([] {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    callback = nullptr;
  });
  const int result = call();
  other.join();
  assert(result == 1 || result == 2);
}
