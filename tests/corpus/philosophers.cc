// Three philosophers: each takes the left fork first, and all of them wait; FIXED: the forks have an order.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int kCount = 3;
  std::array<std::mutex, kCount> forks;
  std::vector<std::thread> threads;
  for (int i = 0; i < kCount; ++i)
    threads.emplace_back([&forks, i] {
      int left = i, right = (i + 1) % kCount;
#ifdef FIXED
      if (left > right) std::swap(left, right);
#endif
      std::lock_guard first(forks[left]);
      std::lock_guard second(forks[right]);
    });
  for (auto& thread : threads) thread.join();
}
