// Ownership goes through a slot.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

std::unique_ptr<int> slot;
std::mutex mutex;
std::condition_variable filled;

int main() {
  std::thread producer([] {
    auto value = std::make_unique<int>(42);
    std::lock_guard lock(mutex);
    slot = std::move(value);
    filled.notify_one();
  });
  std::unique_ptr<int> mine;
  {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return slot != nullptr; });
    mine = std::move(slot);
  }
  assert(*mine == 42 && !slot);
  producer.join();
}
