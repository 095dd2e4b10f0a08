// Views over a vector that is filled under a mutex.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <ranges>
#include <thread>
#include <vector>

std::vector<int> values;
std::mutex mutex;

int main() {
  auto add = [](int value) {
    std::lock_guard lock(mutex);
    values.push_back(value);
  };
  std::thread a(add, 1), b(add, 2), c(add, 4);
  a.join();
  b.join();
  c.join();
  int sum = 0;
  for (int value : values | std::views::filter([](int v) { return v % 2 == 0; }) |
                       std::views::transform([](int v) { return v * 10; }))
    sum += value;
  assert(sum == 60);
}
