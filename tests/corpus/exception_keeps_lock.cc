// An exception between lock() and unlock() leaves the mutex locked for ever.
// CHECK: verdict=bug kind=deadlock|lock-misuse
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex mutex;
int sum = 0;

void add(const std::string& text) {
#ifdef FIXED
  std::lock_guard lock(mutex);
  sum += std::stoi(text);
#else
  mutex.lock();
  sum += std::stoi(text);
  mutex.unlock();
#endif
}

int main() {
  std::thread other([] {
    try {
      add("seven");
    } catch (const std::invalid_argument&) {
    }
  });
  other.join();
  std::thread last([] { add("8"); });
  last.join();
  assert(sum == 8);
}
