// A value that is there when its thread has ended.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable { promise.set_value_at_thread_exit(3); });
  assert(future.get() == 3);
  worker.join();
}
