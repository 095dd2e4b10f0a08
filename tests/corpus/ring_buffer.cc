// A ring for one producer and one consumer; with relaxed indices the contents race.
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release, kSee = std::memory_order_acquire;
#else
constexpr auto kPublish = std::memory_order_relaxed, kSee = std::memory_order_relaxed;
#endif

class Ring {
 public:
  bool push(int value) {
    const size_t tail = tail_.load(std::memory_order_relaxed), next = (tail + 1) % items_.size();
    if (next == head_.load(kSee)) return false;
    items_[tail] = value;
    tail_.store(next, kPublish);
    return true;
  }
  std::optional<int> pop() {
    const size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(kSee)) return std::nullopt;
    const int value = items_[head];
    head_.store((head + 1) % items_.size(), kPublish);
    return value;
  }

 private:
  std::array<int, 3> items_{};
  std::atomic<size_t> head_{0}, tail_{0};
};

int main() {
  Ring ring;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) assert(ring.push(i));
  });
  int last = 0;
  for (int i = 0; i < 2; ++i)
    if (auto value = ring.pop()) {
      assert(*value == last + 1);
      last = *value;
    }
  producer.join();
}
