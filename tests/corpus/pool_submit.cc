// A pool with one worker; jobs capture a reference and an int, so that their closures have padding.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  template <class Job>
  void submit(Job&& job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.emplace(std::forward<Job>(job));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop();
      }
      job();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  int sum = 0;
  {
    Pool pool(1);
    for (int i = 1; i <= 2; ++i) pool.submit([&sum, i] { sum += i; });
  }
  assert(sum == 3);
}
