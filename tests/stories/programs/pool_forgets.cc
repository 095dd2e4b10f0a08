// The destructor of a pool sets its flag without the lock: a worker that has just looked at it waits for ever.
// fix: set stop_ while mutex_ is held.
// says: broadcast pool.wake_ (nobody waits)
// says: nobody waited then
#include <atomic>
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
    stop_ = true;
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void submit(std::function<void()> job) {
    {
      std::lock_guard guard(mutex_);
      jobs_.push(std::move(job));
    }
    wake_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      std::function<void()> job = std::move(jobs_.front());
      jobs_.pop();
      lock.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::queue<std::function<void()>> jobs_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

int main() {
  int done = 0;
  {
    Pool pool(2);
    pool.submit([&] { ++done; });
  }
  return done == 1 ? 0 : 1;
}
