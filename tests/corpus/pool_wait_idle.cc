// A pool that can be waited for (BS::thread_pool's style): a counter of jobs, and a second condition.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { work(); }) {}
  ~Pool() {
    wait();
    {
      std::scoped_lock lock(mutex_);
      running_ = false;
    }
    available_.notify_all();
    worker_.join();
  }
  template <class F, class... A>
  void push(F&& f, A&&... arguments) {
    {
      std::scoped_lock lock(mutex_);
      tasks_.push(std::bind(std::forward<F>(f), std::forward<A>(arguments)...));
    }
    available_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return tasks_.empty() && busy_ == 0; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      available_.wait(lock, [this] { return !tasks_.empty() || !running_; });
      if (!running_) return;
      {
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop();
        ++busy_;
        lock.unlock();
        task();
      }
      lock.lock();
      --busy_;
      if (tasks_.empty()) idle_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable available_, idle_;
  std::queue<std::function<void()>> tasks_;
  int busy_ = 0;
  bool running_ = true;
  std::thread worker_;
};

void add(int* sum, short n) { *sum += n; }

int main() {
  int sum = 0;
  Pool pool;
  pool.push(add, &sum, short{1});
  pool.push(add, &sum, short{2});
  pool.wait();
  assert(sum == 3);
}
