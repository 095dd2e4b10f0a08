// An event loop: other threads post tasks, which run in the loop's thread; a task may post again.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class EventLoop {
 public:
  using Task = std::function<void(EventLoop&)>;
  void post(Task task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    wake_.notify_one();
  }
  void stop() {
    post([](EventLoop& loop) { loop.running_ = false; });
  }
  void run() {
    while (running_) {
      Task task;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return !tasks_.empty(); });
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task(*this);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool running_ = true;  // the loop's thread's own
};

int main() {
  EventLoop loop;
  int steps = 0;
  std::thread runner([&] { loop.run(); });
  loop.post([&](EventLoop& self) {
    ++steps;
    self.post([&](EventLoop& again) {
      ++steps;
      again.stop();
    });
  });
  runner.join();
  assert(steps == 2);
}
