// Who does not look again after a time-out goes on without the result.
// CHECK: verdict=bug kind=assertion line=@late
// CHECK-FIXED: verdict=safe
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
  bool seen;
  {
    std::unique_lock lock(mutex);
#ifdef FIXED
    changed.wait(lock, [] { return done; });
    seen = done;
#else
    seen = changed.wait_for(lock, 10ms, [] { return done; });
#endif
  }
  other.join();
  assert(seen);  // @late
}
