// Two workers, two jobs; closures with padding; an atomic sum.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back(&Pool::work, this);
  }
  ~Pool() {
    {
      std::unique_lock lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
    for (auto& thread : threads_) thread.join();
  }
  void submit(std::function<void()> job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (!stopped_ && jobs_.empty()) changed_.wait(lock);
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  std::atomic<int> sum{0};
  {
    Pool pool(2);
    for (int i = 1; i <= 2; ++i) pool.submit([&sum, i] { sum += i; });
  }
  assert(sum == 3);
}
