// A generator fills a queue that another thread empties.
// CHECK: verdict=safe
#include <cassert>
#include <coroutine>
#include <mutex>
#include <queue>
#include <thread>

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Generator() { handle.destroy(); }
  bool next() {
    handle.resume();
    return !handle.done();
  }
};

Generator squares(int count) {
  for (int i = 1; i <= count; ++i) co_yield i* i;
}

int main() {
  std::mutex mutex;
  std::queue<int> queue;
  std::thread producer([&] {
    auto numbers = squares(2);
    while (numbers.next()) {
      std::lock_guard lock(mutex);
      queue.push(numbers.handle.promise().value);
    }
  });
  int taken = 0;
  {
    std::lock_guard lock(mutex);
    for (; !queue.empty(); queue.pop()) taken += queue.front();
  }
  producer.join();
  assert(taken == 0 || taken == 1 || taken == 5);
}
