// A notification that comes before the wait is lost.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
#ifdef FIXED
    changed.wait(lock, [] { return ready; });
#else
    changed.wait(lock);
#endif
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  waiter.join();
}
