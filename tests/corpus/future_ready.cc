// Whether a result is there is asked without waiting.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread producer([&] { promise.set_value(7); });
  if (future.wait_for(std::chrono::seconds(0)) == std::future_status::ready) assert(future.get() == 7);
  producer.join();
  if (future.valid()) assert(future.get() == 7);
}
