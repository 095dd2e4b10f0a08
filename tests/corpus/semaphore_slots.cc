// A semaphore lets two of three threads in at a time. That of libstdc++ 12 forgets to wake one: when another slot is
// free already, a release notifies nobody (libstdc++'s bug 104928). FIXED: one with a condition variable.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

#ifdef FIXED
class Slots {
 public:
  explicit Slots(int count) : count_(count) {}
  void acquire() {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return count_ > 0; });
    --count_;
  }
  void release() {
    std::lock_guard lock(mutex_);
    ++count_;
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  int count_;
};
#else
using Slots = std::counting_semaphore<2>;
#endif

int main() {
  Slots slots(2);
  std::atomic<int> inside{0};
  auto enter = [&] {
    slots.acquire();
    assert(++inside <= 2);
    --inside;
    slots.release();
  };
  std::thread a(enter), b(enter);
  enter();
  a.join();
  b.join();
}
