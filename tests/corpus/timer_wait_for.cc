// A worker that gives up waiting after a while.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main() {
  using namespace std::chrono_literals;
  bool seen = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    seen = changed.wait_for(lock, 100ms, [] { return ready; });
    assert(seen == ready);
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  waiter.join();
}
