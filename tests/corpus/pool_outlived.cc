// A job uses a local variable of a function that does not wait for it.
// CHECK: verdict=bug kind=use-after-free|race|use-after-scope|use-after-return
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <future>
#include <thread>

std::thread worker;

int start() {
  int input = 20;
  std::promise<int> promise;
  auto result = promise.get_future();
  worker = std::thread([&input, promise = std::move(promise)]() mutable { promise.set_value(input + 1); });
#ifdef FIXED
  return result.get();
#else
  return 21;
#endif
}

int main() {
  assert(start() == 21);
  worker.join();
}
