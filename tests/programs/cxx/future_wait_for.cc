// std::future::wait_for on virtual time: ready and time-out are both schedules.
// CHECK: verdict=safe
// OUTCOMES: "ready" "timeout"
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

int main() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&] { promise.set_value(); });
  const bool ready = future.wait_for(std::chrono::milliseconds(10)) == std::future_status::ready;
  other.join();
  std::printf("%s", ready ? "ready" : "timeout");
}
