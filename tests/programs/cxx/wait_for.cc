// condition_variable::wait_for: timing out and being notified are both schedules.
// CHECK: verdict=safe
// OUTCOMES: "0" "1"
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main() {
  std::thread other([] {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  bool seen;
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(1));
    seen = ready;
  }
  other.join();
  std::printf("%d", seen);
}
