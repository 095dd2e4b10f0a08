// A worker that stops when it is asked to.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool stopped = false;
  {
    std::jthread worker([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      changed.wait(lock, token, [] { return false; });
      stopped = true;
    });
  }
  assert(stopped);
}
