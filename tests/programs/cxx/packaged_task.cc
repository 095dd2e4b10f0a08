// std::packaged_task run by another thread. The task's shared state is used by both threads in dozens of steps:
// millions of interleavings, few behaviours.
// CHECK: verdict=safe
// OUTCOMES: "ready 5" "timeout 5"
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int()> task([] { return 5; });
  std::future<int> future = task.get_future();
  std::thread other(std::move(task));
  const bool ready = future.wait_for(std::chrono::milliseconds(10)) == std::future_status::ready;
  const int value = future.get();
  other.join();
  std::printf("%s %d", ready ? "ready" : "timeout", value);
}
