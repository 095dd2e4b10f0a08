// A stop_callback ends while its stop_source tells it that the callback has run: the library's own semaphore may be gone then.
// CHECK: verdict=safe
// OPTIONS: --timeout 100
// SELF-CHECK: off (the library spins: too many schedules)
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any condition;
static std::atomic<int> calls;

int main() {
  {
    std::jthread waits([](std::stop_token token) {
      std::unique_lock lock(mutex);
      assert(!condition.wait(lock, token, [] { return false; }));
    });
  }
  std::stop_source source;
  std::thread listens([&] { std::stop_callback own(source.get_token(), [] { ++calls; }); });
  source.request_stop();
  listens.join();
  assert(calls <= 1);
  return 0;
}
