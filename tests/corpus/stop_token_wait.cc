// condition_variable_any with a stop token: a jthread that waits for work ends when it is asked to.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::queue<int> work;
  int sum = 0;
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      while (changed.wait(lock, stop, [&] { return !work.empty(); })) {
        sum += work.front();
        work.pop();
      }
    });
    {
      std::lock_guard lock(mutex);
      work.push(5);
    }
    changed.notify_one();
  }
  assert(sum == 5 || (sum == 0 && work.size() == 1));
}
