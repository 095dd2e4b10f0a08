// Callbacks of type std::function, called by another thread.
// CHECK: verdict=safe
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

std::vector<std::function<int(int)>> callbacks;
std::mutex mutex;

int main() {
  int base = 10;
  std::thread adder([&] {
    std::lock_guard lock(mutex);
    callbacks.push_back([base](int x) { return base + x; });
  });
  std::thread multiplier([] {
    std::lock_guard lock(mutex);
    callbacks.push_back([](int x) { return 10 * x; });
  });
  adder.join();
  multiplier.join();
  int sum = 0;
  for (auto& callback : callbacks) sum += callback(3);
  assert(sum == 43);
}
