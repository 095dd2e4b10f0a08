// A predicate that looks at the clock itself: time goes on inside of the wait.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::mutex mutex;
std::condition_variable changed;
bool done;

void finish() {
  std::lock_guard lock(mutex);
  done = true;
  changed.notify_one();
}

int main() {
  const auto start = Clock::now();
  std::thread other(finish);
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, 10ms, [&] { return done || Clock::now() - start > 5ms; });
    assert(done || Clock::now() - start > 5ms);
  }
  other.join();
}
