// A pool is stopped without its mutex: the worker has seen that it goes on, and begins to wait behind the signal.
// says: write pool.stopping_ = 1
// says: broadcast pool.ready_ (nobody waits)
// says: T1 waits for a signal on pool.ready_
// says: before T1 began to wait
// fix: set stopping_ while holding mutex_
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
class Pool {
 public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) workers_.emplace_back([this] { work(); });
  }
  void submit(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push(std::move(job));
    ready_.notify_one();
  }
  void stop() {
    stopping_ = true;
    ready_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop();
      lock.unlock();
      job();
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};
int main() {
  int done = 0;
  Pool pool(1);
  pool.submit([&] { ++done; });
  pool.stop();
  assert(done == 1);
}
