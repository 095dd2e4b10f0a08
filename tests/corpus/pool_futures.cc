// A pool whose jobs return futures (progschj's style).
// CHECK: verdict=safe
// FLAGS: -Wno-deprecated-declarations
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(size_t threads) {
    for (size_t i = 0; i < threads; ++i)
      workers.emplace_back([this] {
        for (;;) {
          std::function<void()> task;
          {
            std::unique_lock<std::mutex> lock(queue_mutex);
            condition.wait(lock, [this] { return stop || !tasks.empty(); });
            if (stop && tasks.empty()) return;
            task = std::move(tasks.front());
            tasks.pop();
          }
          task();
        }
      });
  }
  template <class F, class... Args>
  auto enqueue(F&& f, Args&&... args) -> std::future<std::invoke_result_t<F, Args...>> {
    using Result = std::invoke_result_t<F, Args...>;
    auto task =
        std::make_shared<std::packaged_task<Result()>>(std::bind(std::forward<F>(f), std::forward<Args>(args)...));
    std::future<Result> result = task->get_future();
    {
      std::unique_lock<std::mutex> lock(queue_mutex);
      tasks.emplace([task]() { (*task)(); });
    }
    condition.notify_one();
    return result;
  }
  ~ThreadPool() {
    {
      std::unique_lock<std::mutex> lock(queue_mutex);
      stop = true;
    }
    condition.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

 private:
  std::vector<std::thread> workers;
  std::queue<std::function<void()>> tasks;
  std::mutex queue_mutex;
  std::condition_variable condition;
  bool stop = false;
};

int main() {
  ThreadPool pool(1);
  auto one = pool.enqueue([](int x) { return x * x; }, 3);
  auto two = pool.enqueue([] { return 5; });
  const int sum = one.get() + two.get();
  assert(sum == 14);
}
