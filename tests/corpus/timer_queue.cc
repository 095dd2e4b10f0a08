// A timer thread that waits until the next deadline.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

class Timer {
 public:
  using Clock = std::chrono::steady_clock;
  Timer() : thread_([this] { run(); }) {}
  ~Timer() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void after(std::chrono::milliseconds delay, std::function<void()> action) {
    std::lock_guard lock(mutex_);
    actions_.emplace(Clock::now() + delay, std::move(action));
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      if (actions_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto next = actions_.begin()->first;
      if (Clock::now() < next) {
        changed_.wait_until(lock, next);
        continue;
      }
      auto action = std::move(actions_.begin()->second);
      actions_.erase(actions_.begin());
      lock.unlock();
      action();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, std::function<void()>> actions_;
  bool stopped_ = false;
  std::thread thread_;
};

int main() {
  int fired = 0;
  {
    Timer timer;
    timer.after(std::chrono::milliseconds(5), [&] { ++fired; });
  }
  assert(fired == 0 || fired == 1);
}
