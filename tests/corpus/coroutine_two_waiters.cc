// An event that two coroutines of different threads wait for.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <coroutine>
#include <mutex>
#include <thread>
#include <vector>

struct Event {
  std::mutex mutex;
  bool set = false;
  std::vector<std::coroutine_handle<>> waiting;
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> handle) {
    std::lock_guard lock(mutex);
    if (set) return false;
    waiting.push_back(handle);
    return true;
  }
  void await_resume() {}
  void fire() {
    std::vector<std::coroutine_handle<>> ready;
    {
      std::lock_guard lock(mutex);
      set = true;
      ready.swap(waiting);
    }
    for (auto handle : ready) handle.resume();
  }
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

Task wait_for(Event& event, std::atomic<int>& woken) {
  co_await event;
  ++woken;
}

int main() {
  Event event;
  std::atomic<int> woken{0};
  std::thread other([&] { wait_for(event, woken); });
  event.fire();
  wait_for(event, woken);
  other.join();
  assert(woken == 2);
}
