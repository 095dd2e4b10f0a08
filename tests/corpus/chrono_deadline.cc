// wait_until with a deadline: the answer came, or it is later than that.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

int main() {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<int> answer;
  std::thread other([&] {
    std::lock_guard lock(mutex);
    answer = 42;
    arrived.notify_one();
  });
  const auto deadline = Clock::now() + std::chrono::milliseconds(5);
  {
    std::unique_lock lock(mutex);
    const bool there = arrived.wait_until(lock, deadline, [&] { return answer.has_value(); });
    assert(there ? *answer == 42 : Clock::now() >= deadline);
  }
  other.join();
}
