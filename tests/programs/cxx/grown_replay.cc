// What the attempts to shorten a failing schedule find to be shared must not keep the schedule itself from being replayed.
// CHECK: verdict=bug kind=assertion line=@fails
// EXPLORERS: all
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex mutex;
static std::ostringstream stream;

int main() {
  std::thread a([] {
    std::lock_guard lock(mutex);
    stream.precision(3);
  });
  std::thread b([] {
    std::lock_guard lock(mutex);
    assert(stream.precision() == 6);  // @fails
  });
  a.join();
  b.join();
  return 0;
}
