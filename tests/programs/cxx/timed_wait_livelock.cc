// Waits with a time-out for what never comes: each turn leaves the same state.
// CHECK: verdict=bug kind=livelock line=@loop
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (loops without a bound)
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool done;

void finish() {
  std::lock_guard lock(mutex);
#ifdef FIXED
  done = true;
#endif
  changed.notify_one();
}

int main() {
  std::thread other(finish);
  {
    std::unique_lock lock(mutex);
    while (!done) changed.wait_for(lock, 10ms);  // @loop
  }
  other.join();
}
