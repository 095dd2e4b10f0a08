// A pool whose jobs are in a std::list (cpp-httplib's style).
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(size_t n) {
    while (n--) threads_.emplace_back(worker(*this));
  }
  void enqueue(std::function<void()> fn) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      jobs_.push_back(std::move(fn));
    }
    cond_.notify_one();
  }
  void shutdown() {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      shutdown_ = true;
    }
    cond_.notify_all();
    for (auto& t : threads_) t.join();
  }

 private:
  struct worker {
    explicit worker(ThreadPool& pool) : pool_(pool) {}
    void operator()() {
      for (;;) {
        std::function<void()> fn;
        {
          std::unique_lock<std::mutex> lock(pool_.mutex_);
          pool_.cond_.wait(lock, [&] { return !pool_.jobs_.empty() || pool_.shutdown_; });
          if (pool_.shutdown_ && pool_.jobs_.empty()) break;
          fn = std::move(pool_.jobs_.front());
          pool_.jobs_.pop_front();
        }
        fn();
      }
    }
    ThreadPool& pool_;
  };
  std::vector<std::thread> threads_;
  std::list<std::function<void()>> jobs_;
  bool shutdown_ = false;
  std::condition_variable cond_;
  std::mutex mutex_;
};

int main() {
  std::atomic<int> done{0};
  ThreadPool pool(2);
  pool.enqueue([&] { ++done; });
  pool.enqueue([&] { ++done; });
  pool.shutdown();
  assert(done == 2);
}
