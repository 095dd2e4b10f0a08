// Three threads wait for one start signal.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> start;
  std::shared_future<int> ready = start.get_future().share();
  std::atomic<int> sum{0};
  auto runner = [&sum, ready] { sum += ready.get(); };
  std::thread a(runner), b(runner);
  start.set_value(5);
  a.join();
  b.join();
  assert(sum == 10);
}
