// std::thread, std::mutex, std::lock_guard.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>

struct Counter {
  std::mutex mutex;
  int value = 0;
  void add(int amount) {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    value += amount;
  }
};

int main() {
  Counter counter;
  std::thread other([&] { counter.add(1); });
  counter.add(2);
  other.join();
  assert(counter.value == 3);
}
