// A thread that looks at a clock itself sees that a wait that timed out took its time.
// CHECK: verdict=safe
// INPUTS: fixed
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
  std::thread other(finish);
  {
    std::unique_lock lock(mutex);
    const auto start = Clock::now();
    const bool seen = changed.wait_for(lock, 10ms, [] { return done; });
    assert(seen || Clock::now() - start >= 10ms);
  }
  other.join();
}
