// Waits for all workers, but at most until a deadline.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable done;
int left = 2;

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([] {
      std::lock_guard lock(mutex);
      if (--left == 0) done.notify_all();
    });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  {
    std::unique_lock lock(mutex);
    const bool all = done.wait_until(lock, deadline, [] { return left == 0; });
    assert(all == (left == 0));
  }
  for (auto& worker : workers) worker.join();
}
