// A packaged_task that runs on another thread, and one that throws.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int divide(int a, int b) {
  if (b == 0) throw std::domain_error("by zero");
  return a / b;
}

int main() {
  std::packaged_task<int(int, int)> good(divide), bad(divide);
  auto result = good.get_future(), failure = bad.get_future();
  std::thread a(std::move(good), 6, 3), b(std::move(bad), 1, 0);
  assert(result.get() == 2);
  bool thrown = false;
  try {
    failure.get();
  } catch (const std::domain_error& error) {
    thrown = std::string(error.what()) == "by zero";
  }
  assert(thrown);
  a.join();
  b.join();
}
