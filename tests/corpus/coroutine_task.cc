// A coroutine that goes on in another thread.
// CHECK: verdict=safe
#include <cassert>
#include <coroutine>
#include <thread>

std::thread worker;

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

struct ToWorker {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> rest) {
    worker = std::thread([rest] { rest.resume(); });
  }
  void await_resume() {}
};

int result;

Task compute(int x) {
  co_await ToWorker{};
  result = x * 2;
}

int main() {
  compute(21);
  worker.join();
  assert(result == 42);
}
