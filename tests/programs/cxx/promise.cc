// std::promise and std::future hand a value over; the reader waits for it.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([&] { promise.set_value(7); });
  assert(future.get() == 7);
  other.join();
}
