// A worker that gives up breaks its promise; who waits is told.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  auto result = promise.get_future();
  std::thread worker([promise = std::move(promise)] {});
  bool broken = false;
  try {
    result.get();
  } catch (const std::future_error& error) {
    broken = error.code() == std::future_errc::broken_promise;
  }
  worker.join();
  assert(broken);
}
