// A loop over a vector that another thread makes longer.
// CHECK: verdict=bug kind=race|use-after-free|heap-overflow
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::vector<int> values{1, 2};
  std::mutex mutex;
  std::thread other([&] {
    std::lock_guard lock(mutex);
    values.push_back(3);
  });
  int sum = 0;
  {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    for (int value : values) sum += value;
  }
  other.join();
  assert(sum == 3 || sum == 6);
}
