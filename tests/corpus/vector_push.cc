// Two threads append to a vector behind a mutex; it grows while they do.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> numbers;
std::mutex mutex;

int main() {
  auto append = [](int first) {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard lock(mutex);
      numbers.push_back(first + i);
    }
  };
  std::thread a(append, 10), b(append, 20);
  a.join();
  b.join();
  int sum = 0;
  for (int number : numbers) sum += number;
  assert(numbers.size() == 4 && sum == 62);
}
