// Views over a snapshot of what another thread appends to.
// CHECK: verdict=safe
#include <algorithm>
#include <cassert>
#include <mutex>
#include <ranges>
#include <thread>
#include <vector>

std::vector<int> numbers{1, 2, 3};
std::mutex mutex;

std::vector<int> snapshot() {
  std::lock_guard lock(mutex);
  return numbers;
}

int main() {
  std::thread writer([] {
    for (int i = 4; i <= 5; ++i) {
      std::lock_guard lock(mutex);
      numbers.push_back(i);
    }
  });
  const auto copy = snapshot();
  int sum = 0;
  for (int n :
       copy | std::views::filter([](int n) { return n % 2; }) | std::views::transform([](int n) { return n * n; }))
    sum += n;
  assert(sum == 10 || sum == 35);
  writer.join();
  assert(std::ranges::max(numbers) == 5);
}
