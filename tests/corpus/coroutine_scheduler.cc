// Coroutines that hop between two threads through a shared run queue.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <mutex>
#include <thread>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

class Scheduler {
 public:
  auto hop() {
    struct Awaiter {
      Scheduler& scheduler;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> handle) { scheduler.add(handle); }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this};
  }
  void run(int steps) {
    for (; steps > 0; --steps) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [&] { return !queue_.empty(); });
      auto handle = queue_.front();
      queue_.pop_front();
      lock.unlock();
      handle.resume();
    }
  }

 private:
  void add(std::coroutine_handle<> handle) {
    std::lock_guard lock(mutex_);
    queue_.push_back(handle);
    ready_.notify_one();
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::coroutine_handle<>> queue_;
};

Task job(Scheduler& scheduler, int& result) {
  result = 1;
  co_await scheduler.hop();
  result += 1;
  co_await scheduler.hop();
  result += 1;
}

int main() {
  Scheduler scheduler;
  int result = 0;
  std::thread other([&] { scheduler.run(1); });
  job(scheduler, result);
  scheduler.run(1);
  other.join();
  assert(result == 3);
}
