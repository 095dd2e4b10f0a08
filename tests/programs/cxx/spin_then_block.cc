// A semaphore that tries ten thousand times before it sleeps, as in moodycamel's queues. Broken: who gives up announces
// that it waits before it looks once more, and a signal in between is lost.
// OPTIONS: --races on
// CHECK: verdict=bug kind=deadlock|assertion
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (ten thousand turns as they are written)
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Semaphore {
 public:
  void wait() {
    int spin = 10000;
    while (--spin >= 0) {
      int seen = count_.load(std::memory_order_relaxed);
      if (seen > 0 && count_.compare_exchange_strong(seen, seen - 1, std::memory_order_acquire)) return;
      std::atomic_signal_fence(std::memory_order_acquire);
    }
    if (count_.fetch_sub(1, std::memory_order_acquire) > 0) return;
    std::unique_lock lock(mutex_);
#ifdef FIXED
    changed_.wait(lock, [&] { return wake_ > 0; });
#else
    changed_.wait(lock);
#endif
    --wake_;
  }
  void signal() {
    if (count_.fetch_add(1, std::memory_order_release) >= 0) return;
    {
      std::lock_guard lock(mutex_);
      ++wake_;
    }
    changed_.notify_one();
  }

 private:
  std::atomic<int> count_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int wake_ = 0;
};

Semaphore full, empty;
int slot;

int main() {
  std::thread consumer([] {
    for (int i = 1; i <= 2; ++i) {
      full.wait();
      assert(slot == i);
      empty.signal();
    }
  });
  for (int i = 1; i <= 2; ++i) {
    slot = i;
    full.signal();
    empty.wait();
  }
  consumer.join();
}
